import type { Rgb } from '../video/yuv.ts'
import { rgb } from './colour.ts'
import type { TimeOfDay } from './light.ts'
import type { Season } from './materials.ts'
import type { Place } from './places.ts'
import type { SubjectKind } from './subjects.ts'

/**
 * Words of prompts and what they stand for. Words are parted by spaces; `_` is a space inside one, `*` any ending.
 * Of two words that both fit, the one of the higher rank counts, then the one that comes first.
 */
export interface WordRow<T> {
  is: T
  words: string
  rank?: number
}

// biome-ignore format: one row a line
export const placeWords: readonly WordRow<Place>[] = [
  { is: 'mountains', words: 'mountain* alps alpine peak* hill* volcano* canyon* valley* gebirge berg* alpen montaña* montagne* montagna* montanha* cerro* гора горы горах горам горн* вершин* 山 高原 火山 峡谷 산' },
  { is: 'lake', words: 'lake* river* pond* waterfall* bergsee* am_see fluss teich lago* laguna río ríos lac lacs rivière* étang озер* озёр* река реки реке рекой реку пруд* 湖 河 江 池塘 호수 강가' },
  { is: 'sea', words: 'sea seas seaside ocean* beach* coast* shore* island* harbo* lighthouse* surf surfer* surfing meer ozean strand stränd* küste* insel* mar playa* océano* costa* isla* mer plage* océan* île* phare* spiaggia praia* море моря морской морем океан* пляж* побереж* остров* 海 沙滩 大海 海滩 海洋 海边 岛 ビーチ 砂浜 바다 해변' },
  { is: 'underwater', words: 'underwater undersea coral* reef* aquarium* diver* diving submarine* unterwasser submarin* sous-marin* подводн* аквариум* 水下 海底 珊瑚 水族馆 水中 サンゴ 바닷속' },
  { is: 'city', words: 'city cities town* street* skyline* skyscraper* downtown urban metropolis traffic road* highway* tokyo paris london shanghai beijing moscow berlin new_york stadt straße* strasse* hochhaus* ciudad* calle* rascacielos ville villes rue rues cité città cidade* город* улиц* небоскреб* небоскрёб* 城市 街 都市 大楼 上海 北京 东京 高楼 马路 도시 거리' },
  { is: 'forest', words: 'forest* woods woodland* jungle* rainforest* wald wälder dschungel bosque* selva* jungla* forêt* foresta* floresta* лес леса лесу лесной джунгл* 森林 树林 丛林 林 ジャングル 숲' },
  { is: 'desert', words: 'desert deserts dune* sahara oasis cactus* wüste* düne* desierto* duna* désert* deserto* пустын* дюн* 沙漠 沙丘 砂漠 사막' },
  { is: 'field', words: 'field* meadow* farm* garden* park parks grass grassland* countryside prairie* village* vineyard* wiese* feld* bauernhof garten dorf campo* prado* jardín granja* champ champs prairie* jardin* ferme* village поле поля полем луг* ферм* сад саду сада деревн* 田野 草原 草地 花园 农场 公园 村 乡 牧场 野原 庭 들판 초원' },
  { is: 'space', words: 'outer_space spaceship* spacecraft* spaceman galaxy galaxies planet* universe cosmos cosmic nebula* orbit* mars lunar asteroid* weltraum weltall galaxie* espacio planeta* espace cosmos spazio космос* космическ* галактик* планет* вселенн* 太空 宇宙 星球 银河 星系 火星 宇航 惑星 우주' },
  { is: 'clouds', words: 'above_the_clouds in_the_sky aerial himmel cielo ciel небо небе неба 天空 云 空中 高空 雲 하늘', rank: -1 },
  { is: 'space', words: 'space stars starry milky_way звезд* звёзд* 星空 繁星', rank: -1 },
  { is: 'snow', words: 'snow* glacier* ski skiing arctic antarctic north_pole schnee* gletscher nieve neige neve снег* снеж* ледник* 雪 冰川 滑雪 눈밭', rank: -1 },
  { is: 'interior', words: 'sofa* couch* room rooms bedroom* living_room kitchen* indoor* interior* house_interior office* library café cafe restaurant* studio_apartment classroom* armchair* chair bed table* desk* window* hotel wohnzimmer zimmer küche sessel büro sofá salón habitación cocina oficina canapé salon chambre cuisine bureau divano diván* диван* комнат* кухн* офис* кресл* 沙发 房间 室内 客厅 卧室 厨房 办公室 咖啡馆 餐厅 教室 屋里 桌 ソファ 部屋 室内 リビング 소파 방안 거실' },
  { is: 'studio', words: 'studio* product* packshot* advert* commercial backdrop still_life headshot* produkt* werbung producto* anuncio produit* publicité продукт* товар* реклам* 产品 广告 商品 棚拍 静物 スタジオ 제품 광고' },
]

// biome-ignore format: one row a line
export const subjectWords: readonly WordRow<SubjectKind>[] = [
  { is: 'cat', words: 'cat cats kitten* kitty tomcat katze* kater gato* gata* gatito* un_chat le_chat les_chats chaton* gatto gatti кот кота коты кошк* котен* котён* 猫 小猫 ねこ ネコ 고양이' },
  { is: 'dog', words: 'dog dogs puppy puppies doggy corgi* husky poodle* retriever* hund hunde welpe* perro* cachorro* chien* chiot* собак* щен* пес пёс 狗 小狗 犬 いぬ イヌ 강아지' },
  { is: 'rabbit', words: 'rabbit* bunny bunnies hare hares hase* kaninchen conejo* lapin* lièvre* кролик* заяц зайц* зайчик* 兔 うさぎ ウサギ 토끼' },
  { is: 'fox', words: 'fox foxes fuchs füchse zorro* renard* volpe лис лиса лисы лисиц* 狐 きつね 여우' },
  { is: 'bear', words: 'bear bears bär bären oso osos un_ours ourson* медвед* медвеж* 熊 クマ 곰', rank: 0 },
  { is: 'panda', words: 'panda* панд* 熊猫 パンダ 판다' },
  { is: 'lion', words: 'lion lions tiger* löwe* león leones tigre* лев льва львы тигр* 狮 虎 ライオン 사자 호랑이' },
  { is: 'wolf', words: 'wolf wolves wölfe lobo* loup loups волк* 狼 オオカミ 늑대' },
  { is: 'horse', words: 'horse* pony ponies stallion unicorn* zebra* pferd* caballo* cheval chevaux cavallo лошад* конь коня кони 骏马 小马 白马 黑马 骑马 马匹 一匹马 奔马 馬 うま 말을' },
  { is: 'deer', words: 'deer stag stags moose elk hirsch* reh rehe ciervo* venado* cerf cerfs олен* 鹿 사슴' },
  { is: 'elephant', words: 'elephant* elefant* éléphant* слон слоны слона слонов слоненок 大象 ゾウ 코끼리' },
  { is: 'bird', words: 'bird* eagle* seagull* gull* owl owls parrot* pigeon* dove* swan* vogel vögel adler pájaro* águila* oiseau* aigle* птиц* орел орёл чайк* сова совы 鸟 鹰 海鸥 鳥 とり 새가' },
  { is: 'butterfly', words: 'butterfl* schmetterling* mariposa* papillon* бабоч* 蝴蝶 蝶 나비' },
  { is: 'fish', words: 'fish fishes goldfish shark* dolphin* fisch* pez peces poisson* requin* pesce рыб* акул* дельфин* 鱼 鲨 海豚 魚 물고기' },
  { is: 'whale', words: 'whale* wal wale ballena* baleine* balena кит киты кита 鲸 鯨 クジラ 고래' },
  { is: 'astronaut', words: 'astronaut* cosmonaut* spaceman astronauta* astronaute* cosmonaute* астронавт* космонавт* 宇航员 航天员 宇宙飛行士 우주비행사' },
  { is: 'robot', words: 'robot* android* cyborg* робот* 机器人 ロボット 로봇' },
  { is: 'car', words: 'car cars automobile* taxi* truck* bus buses suv sportscar* racing_car auto autos wagen coche* carro* voiture* camion* macchina автомобил* машин* авто такси грузовик* 汽车 轿车 跑车 车 車 クルマ 자동차' },
  { is: 'boat', words: 'boat* ship ships sailboat* sailing yacht* sail ferry segelboot* boote schiff* segel* barco* velero* bateau* voilier* navire* barca nave лодк* корабл* яхт* парус* 船 帆 舟 ヨット 배를' },
  { is: 'plane', words: 'plane planes airplane* aeroplane* aircraft jet jets flugzeug* avión aviones avion avions aereo самолет* самолёт* 飞机 飛行機 비행기' },
  { is: 'balloon', words: 'balloon* hot-air heißluftballon* ballon* globo globos montgolfière* mongolfiera шар шары шаре 气球 热气球 気球 풍선' },
  { is: 'rocket', words: 'rocket* spaceship* spacecraft* ufo rakete* cohete* fusée* razzo ракет* 火箭 飞船 ロケット 로켓' },
  { is: 'portrait', words: 'portrait* headshot* selfie* close-up* closeup* face faces porträt* retrato* gesicht visage* ritratto портрет* лиц* 肖像 人像 头像 特写 脸 自拍 ポートレート 顔 초상', rank: -1 },
  { is: 'person', words: 'person people man men woman women girl* boy* child children kid kids lady ladies guy dancer* he she his her businessman businesswoman runner* hiker* king queen knight* samurai wizard* mann frau mädchen junge kind kinder mensch* hombre* mujer* niño* niña* chica* persona* homme* femme* fille* garçon* enfant* personne* uomo donna ragazz* человек* мужчин* женщин* девушк* девочк* мальчик* парень люди ребен* ребён* дети детей 人 男 女 孩 少年 姑娘 舞者 彼 彼女 사람 남자 여자 아이 소녀', rank: -2 },
  { is: 'bottle', words: 'product* bottle* perfume* cosmetic* shampoo lotion packag* flasche* parfüm* botella* perfume* bouteille* parfum* bottiglia бутыл* духи флакон* 产品 瓶 香水 化妆品 商品 ボトル 香水 제품', rank: -3 },
  { is: 'cup', words: 'cup mug coffee tea espresso cappuccino kaffee taza* café tasse* thé tazza чашк* кофе чай 咖啡 茶 杯 コーヒー 커피', rank: -3 },
  { is: 'fruit', words: 'fruit* apple* orange_juice food cake* pizza burger* breakfast dinner lemon* strawberr* obst apfel essen kuchen fruta* manzana* comida pastel gâteau pomme* nourriture фрукт* яблок* еда торт* 水果 苹果 食物 蛋糕 早餐 美食 果物 料理 과일 음식', rank: -3 },
  { is: 'flowers', words: 'flower* rose roses tulip* bouquet* blossom* vase* sunflower* blume* flor flores fleur* fiori цветы цветок цветов цветами роза розы букет* 花 玫瑰 花瓶 バラ 꽃', rank: -4 },
  { is: 'tree', words: 'tree trees oak oaks baum bäume árbol árboles arbre* albero дерев* дуб* 树 樹 나무', rank: -5 },
  { is: 'house', words: 'house houses cottage* cabin* hut castle* haus häuser hütte* casa casas maison* château* дом дома домик* замок 房子 小屋 木屋 城堡 집', rank: -5 },
]

// biome-ignore format: one row a line
export const timeWords: readonly WordRow<TimeOfDay>[] = [
  { is: 'morning', words: 'morning* sunrise* dawn* daybreak morgen* sonnenaufgang amanecer mañana madrugada matin aube lever_de_soleil mattina alba утр* рассвет* 早晨 清晨 日出 黎明 早上 朝日 朝焼け 早朝 아침 일출' },
  { is: 'noon', words: 'noon midday daytime sunny daylight bright mittag* sonnig* mediodía soleado día midi ensoleillé jour полдень солнечн* днем днём день 中午 正午 白天 晴 昼 한낮 낮에' },
  { is: 'evening', words: 'evening* sunset* dusk twilight golden_hour abend* sonnenuntergang dämmerung atardecer tarde ocaso puesta_de_sol soir soirée coucher_de_soleil crépuscule sera tramonto вечер* закат* сумерк* 傍晚 黄昏 日落 夕阳 晚霞 夕方 夕焼け 夕日 저녁 노을 석양' },
  { is: 'night', words: 'night* midnight moon* starry stars neon nacht* mond noche* luna nuit* lune notte ноч* лун* полноч* звезд* звёзд* 夜 晚上 月亮 月光 星空 午夜 밤 달빛' },
]

// biome-ignore format: one row a line
export const seasonWords: readonly WordRow<Season>[] = [
  { is: 'spring', words: 'spring springtime cherry_blossom* sakura blossom* frühling primavera printemps весн* 春 樱花 桜 봄' },
  { is: 'summer', words: 'summer* sommer verano été estate лето летом летн* 夏 여름' },
  { is: 'autumn', words: 'autumn* fall_leaves in_fall maple herbst otoño automne autunno осен* 秋 枫 紅葉 가을' },
  { is: 'winter', words: 'winter* snow* christmas frozen ice icy frost* schnee* invierno nieve hiver neige inverno neve зим* снег* снеж* 冬 雪 겨울 눈이' },
]

// biome-ignore format: one row a line
export const colourWords: readonly WordRow<Rgb>[] = [
  { is: rgb('#d8402f'), words: 'red scarlet crimson rot rote roter rotes roten rojo* roja* rouge* rosso красн* 红 赤 빨간' },
  { is: rgb('#f08a24'), words: 'orange ginger рыж* orangefarben* naranja оранжев* 橙 橘 オレンジ 주황' },
  { is: rgb('#f2c230'), words: 'yellow gold golden gelb* amarill* dorado jaune* doré giallo желт* жёлт* золот* 金色 黄色 黄い 노란' },
  { is: rgb('#2f9e4f'), words: 'green emerald grün* verde* vert verte verts зелен* зелён* 绿 緑 초록' },
  { is: rgb('#2fa6a6'), words: 'teal turquoise cyan türkis* turquesa бирюзов* 青色 青绿 水色 청록' },
  { is: rgb('#2b62d9'), words: 'blue navy azure blau* azul* bleu* blu синий синяя синее синие синего голуб* 蓝 青い 파란' },
  { is: rgb('#8246c9'), words: 'purple violet lavender lila violett* morado* púrpura pourpre viola фиолетов* 紫 보라' },
  { is: rgb('#ef6aa8'), words: 'pink rosa rosado rose_coloured rosy розов* 粉 ピンク 분홍' },
  { is: rgb('#7a5236'), words: 'brown braun* marrón marron* коричнев* 棕 褐 茶色 갈색' },
  { is: rgb('#2b2b30'), words: 'black schwarz* negro negra noir noire* nero черн* чёрн* 黑色 黑猫 黑狗 黑马 黒 검은' },
  { is: rgb('#f1efea'), words: 'white weiß* weiss* blanco blanca blanc blanche* bianco белый белая белое белые белого 白色 白い 白猫 白狗 白马 하얀' },
  { is: rgb('#8f949b'), words: 'gray grey silver grau* gris grigio серый серая серое серые серебр* 灰色 银色 회색' },
]
