import { colourWords } from '../scenes/words/colour-words.ts'
import { matches } from '../scenes/words/match-words.ts'
import type { WordTable } from '../scenes/words/word-row.ts'
import type { Rgb } from '../video/yuv.ts'

/** What an edit removes: one thing, letters, every thing, the things behind the subject, or what is around the subject. */
export type Target = 'thing' | 'text' | 'all' | 'behind' | 'background'
export type Side = 'left' | 'right' | 'top' | 'foot' | 'middle'

/** What a prompt asks to remove, with the words that say where it is and which colour it has. */
export interface Removal {
  target: Target
  sides: readonly Side[]
  colour?: Rgb
}

// biome-ignore format: one row a line
const verbs: WordTable<'remove'> = {
  rows: [
    { is: 'remove', words: 'remove removes removed removing erase erases erased erasing delete deletes deleted deleting eliminate take_away take_out get_rid_of clear_away wipe_out entferne entfernen lösche löschen radiere wegmachen wegnehmen elimina eliminar elimine quita quitar borra borrar borre suprime suprimir supprime supprimer supprimez enlève enlever enlevez efface effacer effacez retire retirer retirez rimuovi rimuovere rimuova togli togliere cancella cancellare remova remover apague apagar apaga exclua excluir xóa xoá loại_bỏ gỡ_bỏ bỏ_đi αφαίρεσε αφαιρέστε σβήσε σβήστε διέγραψε βγάλε удали удалить удалите убери убрать уберите сотри сотрите стереть', others: '删除 移除 去掉 去除 擦除 抹掉 抹去 消除 删掉 拿掉 清除 削除 除去 消去 消して 取り除いて 제거 삭제 지워 없애 احذف ازل امسح حذف ازاله הסר הסירו מחק מחקו להסיר हटा हटाओ हटाएं हटाएँ हटाइए मिटा मिटाओ मिटाएं ลบ เอาออก กำจัด' },
  ],
  not: 'not_remove not_erase not_delete t_remove t_erase t_delete never_remove without_removing nicht_entfernen no_elimines no_quites no_borres не_удаляй не_удалять не_убирай 不要删除 不要移除 不要去掉 别删除 không_xóa',
}

// biome-ignore format: one row a line
const targets: WordTable<Exclude<Target, 'thing'>> = {
  rows: [
    { is: 'behind', words: 'background_object+ background_thing+ background_person background_people background_figure+ in_the_background from_the_background im_hintergrund aus_dem_hintergrund en_el_fondo del_fondo à_l_arrière-plan de_l_arrière-plan sullo_sfondo dallo_sfondo no_fundo ao_fundo do_fundo trong_nền ở_hậu_cảnh στο_φόντο на_заднем_плане на_фоне', others: '背景中 背景里 背景物体 背景人物 背景杂物 背景の物 배경의', rank: 1 },
    { is: 'background', words: 'background+ backdrop+ hintergrund* fondo arrière-plan fond sfondo fundo plano_de_fundo nền phông_nền hậu_cảnh φόντο παρασκήνιο фон фона задний_план', others: '背景 배경 خلفيه الخلفيه רקע הרקע पृष्ठभूमि बैकग्राउंड พื้นหลัง ฉากหลัง' },
    { is: 'text', words: 'text texts caption+ lettering letters words writing watermark+ logo+ title+ subtitle+ signature+ schrift beschriftung wasserzeichen texto* letras título* marca_de_agua texte* lettres titre* filigrane testo scritta scritte filigrana marca_d_água chữ văn_bản κείμενο γράμματα текст текста надпись надписи логотип', others: '文字 文本 水印 标题 字幕 ロゴ 글자 텍스트 워터마크 نص النص טקסט הטקסט टेक्स्ट अक्षर ข้อความ ตัวอักษร' },
    { is: 'all', words: 'all every everything everyone everybody alle alles todo todos todas tous toutes tutti tutte tutto tất_cả όλα όλους все всё всех', others: '所有 全部 すべて 全て 모두 모든 كل جميع הכל सभी ทั้งหมด', rank: -1 },
  ],
  not: '',
}

// biome-ignore format: one row a line
const sides: WordTable<Side> = {
  rows: [
    { is: 'left', words: 'left leftmost links linke linken linker linkes izquierda izquierdo gauche sinistra sinistro esquerda esquerdo trái bên_trái αριστερά αριστερό слева левый левую левое левого', others: '左 左边 左侧 왼쪽 يسار اليسار שמאל משמאל बाएँ बाएं बाईं ซ้าย' },
    { is: 'right', words: 'right rightmost rechts rechte rechten rechter rechtes derecha derecho droite destra destro direita direito phải bên_phải δεξιά δεξί справа правый правую правое правого', others: '右 右边 右侧 오른쪽 يمين اليمين ימין מימין दाएँ दाएं दाईं ขวา' },
    { is: 'top', words: 'top upper above oben obere oberen oberer oberes arriba superior haut in_alto em_cima topo phía_trên bên_trên πάνω сверху вверху верхний верхнюю', others: '上方 上面 顶部 上部 상단 اعلى למעלה ऊपर ด้านบน บน' },
    { is: 'foot', words: 'bottom lower below unten untere unteren unterer unteres abajo inferior bas in_basso em_baixo embaixo phía_dưới bên_dưới κάτω снизу внизу нижний нижнюю', others: '下方 下面 底部 下部 하단 아래 اسفل למטה नीचे ด้านล่าง ล่าง' },
    { is: 'middle', words: 'middle center centre central mitte mittlere mittleren centro milieu mezzo meio giữa κέντρο μέση центр центре посередине середине', others: '中间 中央 中心 真ん中 가운데 중앙 وسط الوسط מרכז במרכז אמצע बीच केंद्र กลาง' },
  ],
  not: 'right_now right_away top_quality',
}

/** Where one request of a prompt ends and the next begins. */
const ends =
  /[,.;:!?，。；：！？、،؛।\n]+|\s+(?:and|then)\s+(?=(?:then\s+)?(?:make|turn|change|set|paint|colou?r|give|show)\b)/i

/** What the prompt of an edit asks to remove, and the rest of the prompt. The rest is the whole prompt when nothing is to be removed. */
export function readRemoval(prompt: string): { removal?: Removal; rest: string } {
  const parts = prompt.split(ends)
  const asking = parts.filter(part => matches(verbs, part).length > 0)
  if (asking.length === 0) return { rest: prompt }
  const words = asking.join(' . ')
  const [target] = matches(targets, words)
  const [colour] = matches(colourWords, words)
  return {
    removal: {
      target: target?.is ?? 'thing',
      sides: [...new Set(matches(sides, words).map(({ is }) => is))],
      ...(colour && { colour: colour.is }),
    },
    rest: parts.filter(part => !asking.includes(part)).join('. '),
  }
}
