import type { TimeOfDay } from '../light.ts'
import type { Season } from '../materials.ts'
import type { WordTable } from './word-row.ts'

// biome-ignore format: one row a line
const times: WordTable<TimeOfDay>['rows'] = [
  { is: 'morning', words: 'morning+ sunrise+ dawn+ daybreak morgen morgens morgendämmerung sonnenaufgang früh amanecer* mañana madrugada matin matinée aube lever_de_soleil lever_du_soleil mattina mattino alba manhã amanhecer nascer_do_sol buổi_sáng sáng_sớm bình_minh πρωί πρωινό πρωινή αυγή ανατολή утро утра утром утренн* рассвет*', others: '早晨 清晨 日出 黎明 早上 上午 朝日 朝焼け 早朝 朝 아침 일출 새벽 صباح صباحا شروق فجر בוקר זריחה שחר सुबह सवेरा सवेरे प्रातः प्रभात सूर्योदय भोर เช้า ตอนเช้า ยามเช้า รุ่งเช้า รุ่งอรุณ พระอาทิตย์ขึ้น' },
  { is: 'noon', words: 'noon midday daytime sunny daylight bright mittag* sonnig* mediodía soleado soleada día midi ensoleillé* jour mezzogiorno soleggiat* meio-dia ensolarad* buổi_trưa giữa_trưa trưa ban_ngày nắng μεσημέρι μεσημεριού ηλιόλουστ* полдень полудень полдня солнечн* днем день', others: '中午 正午 白天 晴 昼 真昼 한낮 정오 낮에 대낮 맑은 ظهر ظهرا ظهيره نهار مشمس צהריים צהרים יום_שמש שמשי दोपहर मध्याह्न दिन_में धूप เที่ยง ตอนเที่ยง เที่ยงวัน กลางวัน' },
  { is: 'evening', words: 'evening+ sunset+ dusk twilight golden_hour abend abends abendrot sonnenuntergang* dämmerung atardecer* tarde anochecer ocaso puesta_de_sol soir soirée coucher_de_soleil coucher_du_soleil crépuscule sera tramonto crepuscolo entardecer pôr_do_sol pôr-do-sol anoitecer buổi_tối buổi_chiều chiều_tối hoàng_hôn βράδυ βραδινό βραδιά ηλιοβασίλεμα* σούρουπο δειλινό вечер* закат* сумерк* сумерек', others: '傍晚 黄昏 日落 夕阳 晚霞 夕方 夕焼け 夕日 夕暮れ 저녁 노을 석양 일몰 해질녘 مساء غروب غسق المغيب ערב שקיעה דמדומים शाम संध्या सांझ सूर्यास्त गोधूलि เย็น ตอนเย็น ยามเย็น พลบค่ำ พระอาทิตย์ตก' },
  { is: 'night', words: 'night+ nightfall nighttime night-time midnight moon moonlight moonlit full_moon starry stars neon nacht nachts nächte mitternacht mond vollmond noche* nocturn* medianoche luna nuit* lune minuit notte notturn* mezzanotte noite* meia-noite lua đêm ban_đêm nửa_đêm mặt_trăng ánh_trăng νύχτα νύχτες νύχτας νυχτερινή νυχτεριν* μεσάνυχτα φεγγάρι φεγγαριού ночь ночи ночью ночн* лун* полноч* звездн* звезд*', others: '夜 晚上 月亮 月光 星空 午夜 深夜 月夜 真夜中 밤 밤에 밤하늘 달빛 한밤중 ليل ليله ليلا ليليه منتصف_الليل قمر לילה לילות חצות ירח रात रात्रि आधी_रात चाँदनी चाँद चांद กลางคืน คืน ค่ำคืน ยามค่ำคืน ตอนกลางคืน เที่ยงคืน พระจันทร์ แสงจันทร์' },
]

export const timeWords: WordTable<TimeOfDay> = {
  rows: times,
  not: 'good_morning_america day_dream ánh_sáng jour_après_jour des_tages lune_de_miel honeymoon night_vision 朝着 朝向 朝鲜 朝阳区',
}

// biome-ignore format: one row a line
const seasons: WordTable<Season>['rows'] = [
  { is: 'spring', words: 'spring springtime springlike cherry_blossom+ sakura blossom+ frühling* frühjahr lenz primavera* primaveral printemps printanier* mùa_xuân hoa_anh_đào άνοιξη άνοιξης ανοιξιάτικ* весна весны весной весну весне весенн*', others: '春 春天 春季 春日 樱花 桜 봄 봄날 벚꽃 봄의 ربيع ربيعي ربيعيه אביב אביבי פריחת_הדובדבן वसंत बसंत बहार ฤดูใบไม้ผลิ ใบไม้ผลิ ซากุระ' },
  { is: 'summer', words: 'summer+ summertime summery midsummer sommer sommers sommerlich* verano* veranieg* été d_estate in_estate estivo estiva verão mùa_hè mùa_hạ καλοκαίρι καλοκαιριού καλοκαιριν* лето лета летом летн*', others: '夏 夏天 夏日 夏季 여름 한여름 صيف صيفي صيفيه קיץ קיצי गर्मी गर्मियों ग्रीष्म ฤดูร้อน หน้าร้อน' },
  { is: 'autumn', words: 'autumn+ autumnal fall_leaves fall_foliage fall_colors fall_colours in_fall in_the_fall fall_forest maple+ herbst herbstes herbstlich* otoño* otoñal* automne* autunno autunnale outono* outonal mùa_thu lá_vàng_rơi φθινόπωρο φθινοπώρου φθινοπωριν* осень осени осенью осенн*', others: '秋 秋天 秋季 秋日 枫 红叶 紅葉 もみじ 가을 단풍 خريف خريفي خريفيه סתיו סתווי शरद शरद_ऋतु पतझड़ ฤดูใบไม้ร่วง ใบไม้ร่วง' },
  { is: 'winter', words: 'winter+ wintry wintertime midwinter snow snowy snowing snowfall+ snowflake+ snowstorm+ snow-covered snowscape+ snowman snowmen snowboard+ snowboarder+ snowboarding blizzard+ christmas xmas frozen ice icy frost frosty winterlich* verschneit* schnee weihnacht* invierno* invernal* nieve nevado nevada nevadas nevados navidad hiver* enneigé* hivernal* neige noël inverno invernale neve innevat* mùa_đông tuyết tuyết_rơi băng_giá χειμώνα* χειμεριν* χιόνι χιόνια χιονισμέν* χριστούγεννα зима зимы зиму зимой зиме зимн* снег снега снегу снегом снежн* заснежен* мороз*', others: '冬 冬天 冬季 冬日 雪 下雪 大雪 雪景 圣诞 冬の 겨울 한겨울 눈이 눈_덮인 눈_내리는 눈_오는 크리스마스 شتاء شتوي شتويه ثلج ثلوج ثلجي ثلجيه חורף חורפי שלג מושלג सर्दी सर्दियों शीतकाल शीत_ऋतु बर्फ़ बर्फ बर्फ़ीला बर्फीला बर्फ़ीले बर्फीले बर्फ़ीली बर्फीली हिमपात ฤดูหนาว หน้าหนาว หิมะ' },
]

export const seasonWords: WordTable<Season> = {
  rows: seasons,
  not: 'spring_roll+ spring_onion+ spring_water hot_spring+ box_spring+ ice_cream+ ice_cube+ ice_tea iced_tea ice_skate+ été_fait a_été ont_été 青春 春卷 冰淇淋 雪白 雪糕 雪莲 snow_white snow_leopard+ in_nevada nevada_desert sierra_nevada las_vegas_nevada',
}
