import type { Rgb } from '../../video/yuv.ts'
import { rgb } from '../colour.ts'
import type { WordTable } from './word-row.ts'

// biome-ignore format: one row a line
const rows: WordTable<Rgb>['rows'] = [
  { is: rgb('#d8402f'), words: 'red scarlet crimson maroon burgundy rot rote roter rotes roten rotem rojo* roja* rouge* rosso rossa rossi rosse vermelh* đỏ κόκκιν* красн* бордов*', others: '红 红色 赤 赤い 빨간 빨강 붉은 احمر حمراء אדום אדומה אדומים लाल สีแดง แดง' },
  { is: rgb('#f08a24'), words: 'orange ginger orangefarben* oranger oranges naranja* arancione laranja màu_cam πορτοκαλ* оранжев* рыж*', others: '橙 橙色 橘色 橘 オレンジ 주황 برتقالي برتقاليه כתום כתומה नारंगी สีส้ม ส้ม' },
  { is: rgb('#f2c230'), words: 'yellow gold golden goldfarben* amber_coloured ochre mustard_yellow gelb* goldene* amarill* dorad* jaune* doré* giallo gialla dorato amarel* dourad* màu_vàng vàng κίτριν* χρυσ* желт* золот*', others: '金色 黄色 黄 黄い 黄色い 金の 노란 노랑 금색 اصفر صفراء ذهبي ذهبيه צהוב צהובה זהב पीला पीली पीले सुनहरा सुनहरी สีเหลือง เหลือง สีทอง' },
  { is: rgb('#2f9e4f'), words: 'green emerald chartreuse olive_green lime_green grün* verde verdes vert verte verts vertes verdi màu_xanh_lá xanh_lá xanh_lá_cây xanh_lục πράσιν* зелен* изумрудн* салатов*', others: '绿 绿色 緑 緑の 초록 녹색 اخضر خضراء ירוק ירוקה ירוקים हरा हरी हरे สีเขียว เขียว' },
  { is: rgb('#2fa6a6'), words: 'teal turquoise cyan aquamarine türkis* türkisfarben* petrol_blue turques* turchese xanh_ngọc τιρκουάζ бирюзов*', others: '青色 青绿 水色 青緑 청록 فيروزي טורקיז फ़िरोज़ी फिरोजी สีฟ้าคราม เทอร์ควอยซ์' },
  { is: rgb('#2b62d9'), words: 'blue navy azure cobalt sapphire blau blaue blauer blaues blauen blauem azul azules bleu* blu azzurro azzurra màu_xanh xanh_dương xanh_lam xanh_da_trời μπλε γαλάζι* синий синяя синее синие синего синей синем голуб*', others: '蓝 蓝色 青い 青の 파란 파랑 푸른 ازرق زرقاء כחול כחולה כחולים नीला नीली नीले สีน้ำเงิน น้ำเงิน สีฟ้า ฟ้า' },
  { is: rgb('#8246c9'), words: 'purple violet lavender indigo mauve lilac lila lilafarben* violett* morado* morada* púrpura violeta* pourpre violette* viola roxo roxa màu_tím tím μωβ μοβ βιολετί фиолетов* лилов* сиренев* пурпурн*', others: '紫 紫色 보라 보라색 بنفسجي ارجواني סגול סגולה बैंगनी जामुनी สีม่วง ม่วง' },
  { is: rgb('#ef6aa8'), words: 'pink magenta fuchsia fuchsie* coral_pink coral_red coral_colour coral_coloured coral_colored korallenrot* korallenfarben* rosa rosado rosada rose_coloured rosy rosafarben* màu_hồng hồng ροζ φούξια розов* малинов*', others: '珊瑚色 珊瑚红 サンゴ色 品红 洋红 玫红 マゼンタ 粉 粉色 粉红 ピンク 桃色 분홍 핑크 وردي ورديه ורוד ורודה गुलाबी สีชมพู ชมพู' },
  { is: rgb('#7a5236'), words: 'brown beige khaki braun* marrón marrones marron* castaño* marrone màu_nâu nâu καφετί καφετιά καστανό коричнев* бежев*', others: '棕 棕色 褐 褐色 茶色 갈색 بني بنيه חום חומה भूरा भूरी भूरे สีน้ำตาล' },
  { is: rgb('#2b2b30'), words: 'black schwarz* negro negra negros negras noir noire noirs nero nera neri preto preta màu_đen đen μαύρ* черн*', others: '黑色 黑猫 黑狗 黑马 黒 黒い 검은 까만 검정 اسود سوداء שחור שחורה שחורים काला काली काले สีดำ ดำ' },
  { is: rgb('#f1efea'), words: 'white ivory polar_bear+ eisbär* weiß* weiss weisse weisser weisses blanco blanca blancos blancas blanc blanche* blancs bianco bianca bianchi branco branca màu_trắng trắng λευκ* άσπρ* белый белая белое белые белого белой белым белых', others: '北极熊 白熊 シロクマ 白色 白い 白の 白猫 白狗 白马 하얀 흰 하얗 ابيض بيضاء לבן לבנה לבנים सफ़ेद सफेद สีขาว ขาว' },
  { is: rgb('#8f949b'), words: 'gray grey silver silberfarben* grau graue grauer graues grauen silbern* gris grises grigio grigia cinza prateado màu_xám xám γκρι ασημένι* серый серая серое серые серого серой серебр*', others: '灰色 银色 灰 회색 은색 رمادي رماديه فضي אפור אפורה כסוף स्लेटी धूसर สีเทา เทา สีเงิน' },
]

export const colourWords: WordTable<Rgb> = {
  rows,
  not: 'golden_hour blue_hour green_screen+ red_carpet+ black_and_white orange_juice rose_gold silver_screen white_balance gold_medal+ polar_white cam_kết hoa_hồng xanh_um 红绿灯 金色时光 黄昏 黄河 黄山 黄金时段 粉丝 紫禁城 白天 灰尘 흰자',
}
