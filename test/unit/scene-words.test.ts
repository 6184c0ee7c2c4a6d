import { describe, expect, it } from 'vitest'
import { editWords } from '../../src/media/images/edit-look.ts'
import { sceneWords } from '../../src/media/scenes/scene-words.ts'
import { wordTables } from '../../src/media/scenes/words/lexicon.ts'
import { matches } from '../../src/media/scenes/words/match-words.ts'
import { fold } from '../../src/media/scenes/words/tokens.ts'

/** The meaning of a prompt; properties that are not given are not compared. */
interface Wanted {
  place?: string
  subject?: string
  time?: string
  season?: string
}

/** Prompts with `|` between them, all of the same meaning. */
type Row = readonly [prompts: string, wanted: Wanted]

function read(prompt: string): Wanted {
  const { subject, ...words } = sceneWords(prompt, 1)
  return { ...words, ...(subject && { subject: subject.kind }) }
}

/** Compares each prompt with its meaning. */
function expectRead(rows: readonly Row[]): void {
  const all = rows.flatMap(([prompts, wanted]) => prompts.split('|').map(prompt => [prompt, wanted] as const))
  expect(all.map(([prompt]) => [prompt, read(prompt)])).toMatchObject(all)
}

/** The words that every language has: ten places and subjects, then times, then seasons. */
const core: readonly Wanted[] = [
  { place: 'sea' },
  { place: 'city' },
  { place: 'forest' },
  { place: 'desert' },
  { place: 'snow', season: 'winter' },
  { place: 'space' },
  { place: 'interior' },
  { subject: 'portrait' },
  { place: 'studio' },
  { subject: 'fox' },
  { time: 'morning' },
  { time: 'noon' },
  { time: 'evening' },
  { time: 'night' },
  { season: 'spring' },
  { season: 'summer' },
  { season: 'autumn' },
  { season: 'winter' },
]

const languages: Readonly<Record<string, string>> = {
  English:
    'by the sea|in the cities|forests|the desert|falling snow|in outer space|an interior|a portrait|our product|wild animals|early morning|at noon|in the evening|by night|in spring|summers|in autumn|in winter',
  German:
    'am Meer|in der Stadt|im Wald|in der Wüste|im Schnee|im Weltraum|im Wohnzimmer|ein Porträt|das Produkt|wilde Tiere|am Morgen|am Mittag|am Abend|in der Nacht|im Frühling|im Sommer|im Herbst|im Winter',
  Spanish:
    'junto al mar|en la ciudad|en el bosque|en el desierto|en la nieve|en el espacio|en la cocina|un retrato|el producto|los animales|al amanecer|al mediodía|al atardecer|de noche|en primavera|en verano|en otoño|en invierno',
  French:
    'à la mer|dans la ville|dans la forêt|dans le désert|sous la neige|dans l’espace|dans la cuisine|un portrait|le produit|des animaux|le matin|à midi|le soir|la nuit|au printemps|en été|en automne|en hiver',
  Italian:
    'al mare|in città|nella foresta|nel deserto|sotto la neve|nello spazio|in cucina|un ritratto|il prodotto|gli animali|di mattina|a mezzogiorno|al tramonto|di notte|in primavera|d’estate|in autunno|in inverno',
  Portuguese:
    'na praia|na cidade|na floresta|no deserto|na neve|no espaço|na cozinha|um retrato|o produto|os animais|de manhã|ao meio-dia|ao entardecer|à noite|na primavera|no verão|no outono|no inverno',
  Russian:
    'у моря|в городе|в лесу|в пустыне|на снегу|в космосе|в комнате|портрет|продукт|животные|утром|в полдень|вечером|ночью|весной|летом|осенью|зимой',
  Chinese:
    '海边|城市里|森林中|沙漠里|下雪了|太空中|房间里|一幅肖像|产品展示|小动物|清晨|正午|傍晚|夜晚|春天|夏天|秋天|冬天',
  Japanese:
    '海辺で|都市の景色|森の中|砂漠|雪が降る|宇宙で|部屋の中|肖像画|製品の写真|動物たち|早朝|真昼|夕焼け|夜の|桜|夏の|紅葉|冬の',
  Korean:
    '바다에서|도시의|숲에서|사막에서|눈이 내리는|우주에서|방 안에서|초상화|제품 사진|동물들이|아침에|정오에|저녁에|밤에|봄에|여름에|가을에|겨울에',
  Arabic:
    'على شاطئ البحر|في المدينة|في الغابة|في الصحراء|تحت الثلج|في الفضاء|في الغرفة|بورتريه|المنتج|الحيوانات|في الصباح|عند الظهر|عند الغروب|في الليل|في الربيع|في الصيف|في الخريف|في الشتاء',
  Hebrew:
    'ליד הים|בעיר|ביער|במדבר|בשלג|בחלל|בסלון|פורטרט|המוצר|חיות|בבוקר|בצהריים|בערב|בלילה|באביב|בקיץ|בסתיו|בחורף',
  Hindi:
    'समुद्र के किनारे|शहर में|जंगल में|रेगिस्तान में|बर्फ़ में|अंतरिक्ष में|कमरे में|पोर्ट्रेट|उत्पाद|जानवर|सुबह|दोपहर में|शाम को|रात में|वसंत में|गर्मियों में|शरद ऋतु में|सर्दियों में',
  Thai: 'ริมทะเล|ในเมือง|ในป่า|ในทะเลทราย|ท่ามกลางหิมะ|ในอวกาศ|ในห้องนั่งเล่น|ภาพบุคคล|ผลิตภัณฑ์|สัตว์ป่า|ตอนเช้า|ตอนเที่ยง|ตอนเย็น|ตอนกลางคืน|ฤดูใบไม้ผลิ|ฤดูร้อน|ฤดูใบไม้ร่วง|ฤดูหนาว',
  Greek:
    'στη θάλασσα|στην πόλη|στο δάσος|στην έρημο|στο χιόνι|στο διάστημα|στο δωμάτιο|πορτρέτο|το προϊόν|ζώα|το πρωί|το μεσημέρι|το βράδυ|τη νύχτα|την άνοιξη|το καλοκαίρι|το φθινόπωρο|τον χειμώνα',
  Vietnamese:
    'bên bờ biển|trong thành phố|trong rừng|trên sa mạc|dưới tuyết|ngoài vũ trụ|trong phòng khách|chân dung|sản phẩm|động vật|buổi sáng|buổi trưa|hoàng hôn|ban đêm|mùa xuân|mùa hè|mùa thu|mùa đông',
}

const colours: Readonly<Record<string, string>> = {
  English: 'a red car|a blue car|a green car|a black cat',
  German: 'ein rotes Auto|ein blaues Auto|ein grünes Auto|eine schwarze Katze',
  Spanish: 'un coche rojo|un coche azul|un coche verde|un gato negro',
  French: 'une voiture rouge|une voiture bleue|une voiture verte|un chat noir',
  Italian: 'una macchina rossa|una macchina blu|una macchina verde|un gatto nero',
  Portuguese: 'um carro vermelho|um carro azul|um carro verde|um gato preto',
  Russian: 'красная машина|синяя машина|зелёная машина|чёрный кот',
  Chinese: '红色的汽车|蓝色的汽车|绿色的汽车|黑猫',
  Japanese: '赤い車|青い車|緑の車|黒い猫',
  Korean: '빨간 자동차|파란 자동차|초록 자동차|검은 고양이',
  Arabic: 'سيارة حمراء|سيارة زرقاء|سيارة خضراء|قطة سوداء',
  Hebrew: 'מכונית אדומה|מכונית כחולה|מכונית ירוקה|חתול שחור',
  Hindi: 'लाल कार|नीली कार|हरी कार|काली बिल्ली',
  Thai: 'รถสีแดง|รถสีน้ำเงิน|รถสีเขียว|แมวสีดำ',
  Greek: 'κόκκινο αυτοκίνητο|μπλε αυτοκίνητο|πράσινο αυτοκίνητο|μαύρη γάτα',
  Vietnamese: 'chiếc ô tô đỏ|xe hơi màu xanh dương|xe hơi màu xanh lá|con mèo đen',
}

const more: readonly Row[] = [
  ['a walk along the seafront|an old pier|ΘΑΛΑΣΣΑ', { place: 'sea' }],
  ['the promenade at dusk', { place: 'sea', time: 'evening' }],
  ['fishing boats in the harbour', { place: 'sea', subject: 'boat' }],
  [
    'a snowy village|ein verschneites Dorf|un pueblo nevado|un village enneigé|заснеженная деревня|下雪的村庄|눈 덮인 마을|قرية ثلجية|כפר מושלג|बर्फीला गाँव|χιονισμένο χωριό|ngôi làng phủ tuyết',
    { place: 'village', season: 'winter' },
  ],
  ['a stone bridge|a busy street|phố cổ Hội An', { place: 'city' }],
  ['in the garden|drone shot over a tea plantation|茶畑の朝', { place: 'field' }],
  ['a kitchen|the classroom|café|an octopus in the kitchen', { place: 'interior' }],
  ['people in an office', { place: 'interior', subject: 'person' }],
  ['the night market', { place: 'city', time: 'night' }],
  ['a castle', { subject: 'castle', place: 'mountains' }],
  ['temples in the mist', { subject: 'temple' }],
  ['a train in the mountains', { subject: 'train', place: 'mountains' }],
  ['her bicycle by the lake', { subject: 'bicycle', place: 'lake' }],
  ['horses|αλογα στο λιβάδι', { subject: 'horse', place: 'field' }],
  ['birds', { subject: 'bird' }],
  ['robots', { subject: 'robot' }],
  ['two astronauts', { subject: 'astronaut', place: 'space' }],
  ['一列火车', { subject: 'train' }],
  ['自行车', { subject: 'bicycle' }],
  ['поезд в лесу', { subject: 'train', place: 'forest' }],
  ['полет на воздушном шаре|под воздушными шарами', { subject: 'balloon' }],
  ['thành phố'.normalize('NFD'), { place: 'city' }],
  [
    'a small lighthouse on a cliff|ein Leuchtturm im Sturm|старый маяк|灯台',
    { subject: 'lighthouse', place: 'sea' },
  ],
  ['portrait of a lighthouse keeper', { subject: 'portrait' }],
  ['a jellyfish|un pulpo|осьминог', { place: 'underwater' }],
  ['un dragon au-dessus des nuages|über den Wolken', { place: 'clouds' }],
  ['a polar bear|北极熊', { subject: 'bear', place: 'snow' }],
  ['a tractor harvests wheat|a bowl of ramen', { subject: 'sticker' }],
  ['an old oak on a hill', { subject: 'tree' }],
]

const inside = [
  'a seasoned cook, a category, a carpet and dogma',
  'seesaw, searching, scarce art, catalogue, cartoon, carbon, chicken',
  'overseas, nauseating, disease, research',
  'citywide, cityless, spacecrafting, spacer, deserted, desertion',
  'roomy, mushroom, broom, bedrock, tablet, tableau, windowless',
  'snowdrop, nightingale, moonstone, springboard, fallout, winterberry',
  'foxglove, bearing, wolfram, horseradish, birdseed, catfish, dogwood',
  'robotics, planetary, trainer, training, treetop',
  'called, personal, personality, avionics, lobotomy, chicory, ferment, tasselled',
  'fishy, boater, shipping, airship, hardship, rocketry, flowery',
  'reddish, greenish, bluetooth, blackboard, whitening, goldfinch, rusted',
  'أوراق فقط',
  'כלבימים',
  'ความหมาย สนุก ปลายทาง',
  'バランス、ひとり',
  '무지개가 산책 수집',
  'đồng hồ báo cáo',
  'πόλεμος πολύ δασκάλα',
]

const several: readonly Row[] = [
  ['A red car in the city at night', { place: 'city', time: 'night', subject: 'car' }],
  ['Красная машина в зимнем лесу', { place: 'forest', season: 'winter', subject: 'car' }],
  [
    'un bateau sur le lac, matin d’été',
    { place: 'lake', time: 'morning', season: 'summer', subject: 'boat' },
  ],
  ['snowy night', { place: 'snow', time: 'night', season: 'winter' }],
  ['mountains in the snow', { place: 'mountains', season: 'winter' }],
  ['from the city to the sea|a bird’s-eye view of the city', { place: 'city' }],
  ['a lake in the mountains', { place: 'lake' }],
  ['snow falls on the city', { place: 'city', season: 'winter' }],
  ['stars above the desert', { place: 'desert', time: 'night' }],
  ['a product shot. Later we are on a beach.|a product shot\nLater a beach', { place: 'studio' }],
  ['- a fox in the forest\r\n- a dog in the city', { subject: 'fox', place: 'forest' }],
  ['沙漠里看海', { place: 'desert' }],
  ['A house by the lake. Birds fly over it at noon.', { subject: 'house', place: 'lake' }],
  ['a cat in front of a house', { subject: 'cat' }],
  ['a man and his dog', { subject: 'dog' }],
  ['a hot dog|猫头鹰', { subject: 'sticker' }],
  ['机器人', { subject: 'robot' }],
  ['golden hour in the forest', { place: 'forest', time: 'evening' }],
]

/** The forms of a word in a table, one of which another word may not have. */
function formsOf(word: string): string[] {
  const body = word.replace(/[+*]$/, '')
  return word.endsWith('+') ? [body, `${body}s`, `${body}es`] : [body]
}

describe('the words of a prompt', () => {
  it.each(['places', 'subjects', 'times', 'seasons', 'colours'] as const)(
    'appear once each in the table %s',
    name => {
      const { rows, not } = wordTables[name]()
      const lists = [not, ...rows.map(({ words, others }) => `${words} ${others ?? ''}`)]
      const all = lists.flatMap(list =>
        fold(list)
          .split(' ')
          .filter(word => word !== ''),
      )
      const seen = new Set<string>()
      const again = all.filter(word => {
        const known = formsOf(word).some(form => seen.has(form))
        for (const form of formsOf(word)) seen.add(form)
        return known
      })
      expect(again).toEqual([])
      expect(all.length).toBeGreaterThan(50)
    },
  )

  it.each(['воздушн*_шар*', 'hot+_air'])(
    'may have the sign for endings only at their end, not as in %s',
    word => {
      expect(() => matches({ rows: [{ is: 1, words: word }], not: '' }, 'a prompt')).toThrow(word)
    },
  )

  it.each(Object.entries(languages))(
    'in %s name ten places and subjects, four times and four seasons',
    (_, list) => {
      const prompts = list.split('|')
      expect(prompts).toHaveLength(core.length)
      expectRead(prompts.map((prompt, i) => [prompt, core[i] ?? {}]))
    },
  )

  it.each(Object.entries(colours))('%s: give a colour to the subject beside them', (_, list) => {
    const [red, blue, green, black] = list.split('|').map(prompt => sceneWords(prompt, 1).subject)
    expect([red?.kind, blue?.kind, green?.kind, black?.kind]).toEqual(['car', 'car', 'car', 'cat'])
    const [r, b, g, k] = [red, blue, green, black].map(subject => subject?.colour ?? [0, 0, 0])
    expect(r).toEqual([216, 64, 47])
    expect(b).toEqual([43, 98, 217])
    expect(g).toEqual([47, 158, 79])
    expect(k).toEqual([43, 43, 48])
  })

  it('give a colour to the subject next to it, and every other colour to the whole scene', () => {
    const { subject, tint } = sceneWords('a red car under a strange and wide purple sky', 1)
    expect(subject?.colour?.[0]).toBeGreaterThan(200)
    expect(tint?.[2]).toBeGreaterThan(190)
    expect(sceneWords('make it blue', 1).tint?.[2]).toBeGreaterThan(200)
  })

  it.each([
    ['a maroon car', 'a red car'],
    ['a chartreuse bicycle', 'a green bicycle'],
    ['ein türkisfarbenes Segelboot', 'ein türkises Segelboot'],
    ['a magenta lighthouse', 'a pink lighthouse'],
    ['珊瑚色的大象在雪地里', '粉色的大象在雪地里'],
    ['a polar bear', 'a white bear in the snow'],
    ['бордовый автобус', 'красный автобус'],
  ])('name a shade of a colour: "%s" is "%s"', (shade, plain) => {
    const [one, other] = [sceneWords(shade, 1), sceneWords(plain, 1)]
    expect(one.subject?.colour).toBeDefined()
    expect([one.subject, one.place]).toEqual([other.subject, other.place])
  })

  it('name many more places and subjects, in every language', () => {
    expectRead(more)
  })

  it.each(inside)('are not found inside other words: %s', prompt => {
    const wholly = Array.from({ length: 60 }, (_, seed) => sceneWords(prompt, seed))
    // The emoji font may have one of them, such as a chicken.
    expect(wholly.every(({ subject, tint }) => (!subject || subject.kind === 'sticker') && !tint)).toBe(true)
    if (wholly.some(({ subject }) => subject)) return
    // Nothing is named, so that the seed decides.
    expect(new Set(wholly.map(({ place }) => place)).size).toBeGreaterThan(4)
    expect(new Set(wholly.map(({ time }) => time)).size).toBe(4)
    expect(new Set(wholly.map(({ season }) => season)).size).toBeGreaterThan(2)
  })

  it('a wood or a crop before another word is not the subject', () => {
    for (const prompt of ['an old typewriter on an oak desk', 'a coffee table', 'tea fields at dawn'])
      expect(read(prompt)).not.toHaveProperty('subject')
  })

  it('give the first or the most specific scene', () => {
    expectRead(several)
  })

  it('show no bird for a bird’s-eye view', () => {
    expect(read('a bird’s-eye view of the city').subject).toBeUndefined()
    expect(read("bird's eye view, forest").subject).toBeUndefined()
  })

  it.each([
    ['اجعلها ليلاً', { time: 'night' }],
    ['שיהיה חורף', { season: 'winter' }],
    ['इसे रात में बदलो', { time: 'night' }],
    ['ทำให้เป็นฤดูหนาว', { season: 'winter' }],
    ['κάν’ το νύχτα', { time: 'night' }],
    ['biến thành mùa đông', { season: 'winter' }],
    ['đen trắng', { style: 'monochrome' }],
    ['schwarz-weiß', { style: 'monochrome' }],
  ] as const)('are read in the same languages in an edit: %s', (prompt, wanted) => {
    expect(editWords(prompt)).toMatchObject(wanted)
  })
})
