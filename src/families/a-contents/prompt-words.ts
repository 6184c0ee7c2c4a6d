/** The words of one language. `video` is how the prompt names the video; the verbs are those of an instruction. */
export interface Language {
  /** The video is continued at its end or before its start. */
  extends: readonly RegExp[]
  /** The video itself is changed. */
  edits: readonly RegExp[]
  /** Everything else remains as it is. */
  keeps: readonly RegExp[]
  /** Style, camera, motion, rhythm, voice and the like are taken from the video. */
  borrows: readonly RegExp[]
  /** Instructions that do not name the video. */
  extendsIt: readonly RegExp[]
  editsIt: readonly RegExp[]
}

/** A pattern from parts; blanks in it are any blanks. */
function words(source: string): RegExp {
  return new RegExp(source.replaceAll(' ', '\\s+'), 'iu')
}

const english: Language = (() => {
  const video = String.raw`(?:@?videos?\b\s?\d*|clip|footage|recording|original|shot|sequence)`
  const the = `(?:(?:the|this|that|my|our|whole|entire|reference|input|source|last|first|current) )*`
  const start = `^(?:(?:please|now|then|and|but|just|also|only|next|kindly|let's|let us|(?:can|could|would) you|i(?:'d| would)? (?:want|like|need)(?: you)? to|you should|in ${the}${video}) )*`
  const edit = `(?:edit(?:ing)?|add(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|eras(?:e|ing)|modify(?:ing)?|replac(?:e|ing)|swap(?:ping)?(?: out)?|chang(?:e|ing)|alter|insert|convert|transform|turn(?! around)|recolou?r|colou?ri[sz]e|repaint|restyle|restore|retouch|relight|upscale|enhance|sharpen|denoise|stabili[sz]e|brighten|darken|blur|crop|trim|cut out|mute|dub|translate|get rid of|take out|clean up|fix)`
  const extend = `(?:extend(?:ing)?|continu(?:e|ing)|prolong(?:ing)?|lengthen(?:ing)?|resume)`
  const feature = String.raw`(?:style|look|camera(?: \w+)?|movements?|motions?|motion|moves|pac(?:e|ing)|rhythm|beat|tempo|voice|timbre|tone|light(?:ing)?|colou?rs?|grad(?:e|ing)|palette|choreography|dance|gestures?|poses?|transitions?|editing|cuts?|composition|framing|mood|atmosphere|music|sound(?:track)?|effects?|shake|zoom|pan|angles?|expressions?|actions?|performance|blocking)`
  return {
    extends: [
      words(`${start}${extend} (?:on )?(?:from )?(?:the (?:end|story|action|scene|plot) of )?${the}${video}`),
      words(
        `(?:pick(?:ing|s)? up|carry(?:ing)? on|go(?:ing)? on|keep(?:ing)? going|continu\\w+|start(?:ing)?|begin(?:ning)?|follow\\w* on|resum\\w+)\\b.*\\b(?:where|from|after)\\b.*(?:${video}|ends?|stops|left off|(?:last|final) frame)`,
      ),
      words(
        `^${the}${video}\\s?(?:continues|goes on|keeps? going)|\\b${video} (?:\\w+ ){0,3}longer|\\bkeep ${the}${video} (?:going|running|rolling)`,
      ),
      words(
        `${start}(?:(?:generate|show|film|make|create) )?(?:what (?:comes|happens|happened|came) )?(?:right |just |immediately )?(?:after|before) ${the}${video}`,
      ),
      words(
        `\\bwhat (?:happens|comes) (?:next|after)\\b|\\b(?:sequel|prequel|prologue|epilogue|continuation) (?:of|to)\\b`,
      ),
      words(`${start}add (?:\\S+ )*?(?:to the (?:end|start|beginning) of|before|after) ${the}${video}`),
    ],
    edits: [
      words(`${start}${edit} (?:(?!like |as in |in the style|using |based on )\\S+ )*?(?:${the})${video}`),
      words(
        `${start}(?:make|turn|set|have|give|let|put) (?!(?:a|an|another|new|me|some) )(?:(?!like |as in |in the style|the way |using |based on )\\S+ )*?${video}`,
      ),
      words(
        `\\b${video} (?:\\S+ )?(?:should|must|becomes?|turns? into|(?:is|are|be|gets?|being) (?:\\w+ly )?(?:replaced|changed|removed|turned|recolou?red|swapped|edited))\\b`,
      ),
      words(
        `\\b(?:the )?same (?:video|clip|footage|shot)\\b(?! style)|^${the}${video}\\s?(?:but|except|now|only|without|in black)`,
      ),
    ],
    keeps: [
      words(
        `\\b(?:keep|keeping|leave|leaving|preserve|preserving|retain|maintain)\\b(?!.* as in ).*\\b(?:unchanged|untouched|intact|as (?:it|they) (?:is|are|was|were)|as[- ]is|everything else|all else|the rest|elements|the same$)`,
      ),
      words(
        `\\b(?:nothing|everything|all) else\\b|\\bthe rest (?:stays|remains|of)\\b|\\bwithout changing\\b|\\bno other changes?\\b|\\b(?:stays?|remains?) unchanged\\b`,
      ),
    ],
    borrows: [
      words(`\\b${feature}\\b(?: \\S+){0,3}? (?:of|from|in|as in|as|like|with) (?:in )?${the}${video}`),
      words(
        `\\b${video}(?:'s|’s)? (?:\\S+ )?${feature}\\b|\\b${video} (?:is|as|for) (?:\\S+ ){0,2}(?:reference|${feature})`,
      ),
      words(`\\b(?:like|as|same as|as in|like in) (?:in )?${the}${video}|\\bthe way\\b.*\\b${video}`),
      words(
        `\\b(?:references?|refer to|imitat\\w+|cop(?:y|ies|ying)|mimic\\w*|follow\\w*|match\\w*|replicat\\w+|recreat\\w+|borrow\\w*|reus\\w+|us(?:e|ing)|apply\\w*|inspired|based on|according to)\\b.*\\b${video}`,
      ),
    ],
    extendsIt: [
      words(`\\b(?:and|then) ${extend} (?:it|the (?:story|scene|action|video|clip))\\b`),
      words(
        `${start}${extend}(?: (?:on|it|this|forwards?|backwards?|by|for|from|with|the (?:story|scene|action|plot|ending|end|narrative|duration|length|take|moment|timeline))\\b|$)`,
      ),
    ],
    editsIt: [
      words(`${start}${edit} \\S`),
      words(`${start}make (?:it|this|(?:the|his|her|their|its) (?!video|film|movie)\\S+) `),
      words(
        `${start}(?:i|we) (?:want|need|would like) .* (?:changed|removed|replaced|recolou?red|added|edited|turned|to be|gone)\\b`,
      ),
    ],
  }
})()

const spanish: Language = (() => {
  const video = String.raw`(?:@?v[ií]deos?\b\s?\d*|clip|grabaci[oó]n|toma|original|metraje|secuencia)`
  const the = `(?:(?:el|la|del|al|los|las|este|esta|mismo|misma|ese|mi|su|todo) )*`
  const start = `^(?:(?:por favor|ahora|luego|y|pero|despu[eé]s|solo|s[oó]lo|tambi[eé]n|quiero|puedes|podr[ií]as|necesito|en ${the}${video}) )*`
  const edit = `(?:(?:edit|agreg|elimin|borr|quit|modific|reemplaz|cambi|retir|insert|transform|mejor|restaur|estabiliz|recort|difumin|color|aclar|oscur|traduc|dobl|intercambi|suprim)(?:a|e|ar|en|an|ad|ue)|a[ñn]ad(?:e|a|ir|an)|sustitu(?:ye|ya|ir|yan)|convi(?:erte|erta)|convertir|pon|poner|ponle)(?:l[aoe]s?)?`
  const extend = `(?:exti[eé]nd(?:e|a)|extender|contin[uú](?:a|e|ar)|prolong(?:a|ue|ar)|alarg(?:a|ue|ar)|reanud(?:a|e|ar)|sigue|seguir)`
  const feature = `(?:estilo|aspecto|c[aá]mara|movimientos?|ritmo|comp[aá]s|tempo|voz|timbre|tono|iluminaci[oó]n|luz|colores|paleta|coreograf[ií]a|baile|gestos?|poses?|transici(?:[oó]n|ones)|montaje|edici[oó]n|cortes|composici[oó]n|encuadre|ambiente|atm[oó]sfera|m[uú]sica|sonido|efectos?|temblor|zoom|[aá]ngulo|acci(?:[oó]n|ones))`
  return {
    extends: [
      words(`${start}${extend} (?:desde )?(?:la historia de )?${the}${video}`),
      words(
        `(?:retom|contin[uú]|sigu|empie|empez|comien|comenz|part|arranc)\\w*\\b.*\\b(?:donde|desde|en|del?)\\b.*(?:termina|acaba|(?:[uú]ltimo|final)\\s?(?:fotograma|cuadro|plano)?.*${video})`,
      ),
      words(`\\b${video} (?:\\S+ )?m[aá]s larg|\\bque ${the}${video} (?:siga|contin[uú]e)`),
      words(
        `(?:^|lo que (?:ocurre|pasa|sucede|hay|viene) )(?:justo )?(?:antes|despu[eé]s) de(?:l| la)?\\s?${the}${video}`,
      ),
      words(
        `\\bqu[eé] (?:pasa|ocurre|sucede) (?:despu[eé]s|luego|a continuaci[oó]n)|\\bcontinuaci[oó]n (?:directa )?de`,
      ),
    ],
    edits: [
      words(`${start}${edit} (?:(?!como |con el estilo|al estilo|seg[uú]n )\\S+ )*?${video}`),
      words(
        `${start}(?:haz|hacer|haga) (?!(?:una?|otr[oa]) )(?:(?!como |al estilo|seg[uú]n )\\S+ )*?${video}`,
      ),
      words(
        `\\b${video} (?:\\S+ )?(?:deber[ií]a|debe|se (?:convierte|vuelve|transforma)|pasa a ser|es (?:reemplazad|sustituid))`,
      ),
      words(`\\b(?:el|la) mism[oa] (?:v[ií]deo|clip|grabaci[oó]n|toma)\\b`),
    ],
    keeps: [
      words(
        `\\b(?:mant[eé]n|mantener|mantenga|manteniendo|deja|dejar|dejando|conserva|conservar|conservando)\\b.*(?:sin (?:cambios|cambiar|tocar)|intact|igual(?:es)?$|todo (?:lo dem[aá]s|igual)|el resto|todos los elementos)`,
      ),
      words(
        `\\btodo lo dem[aá]s\\b|\\bnada m[aá]s\\b|\\bel resto (?:queda|igual|sin)|\\bsin cambiar (?:nada|el resto)`,
      ),
    ],
    borrows: [
      words(`\\b${feature}\\b(?: \\S+){0,3}? (?:del?|en|como(?: en)?|que(?: en)?)\\s?${the}${video}`),
      words(
        `\\b(?:como|igual que|seg[uú]n|al estilo)(?: en)? ${the}${video}|\\b${video} (?:es|como|para|sirve) .*(?:referencia|${feature})`,
      ),
      words(
        `\\b(?:referencia|imita\\w*|copia\\w*|sigu?\\w+|replica\\w*|recrea\\w*|usa\\w*|utiliza\\w*|aplica\\w*|inspirad\\w+|basad\\w+)\\b.*\\b${video}`,
      ),
    ],
    extendsIt: [
      words(
        `${start}${extend}(?:l[aoe]s?)?(?: (?:la (?:historia|escena|acci[oó]n|trama|duraci[oó]n)|el (?:final|relato|plano)|hacia|desde|por|con|durante)\\b|$)`,
      ),
    ],
    editsIt: [
      words(`${start}${edit} \\S`),
      words(`${start}(?:haz|hacer|haga) (?:que sea|que est[eé]|el|la|los|las) `),
      words(`^(?:quiero|queremos|necesito) que .* (?:sea|est[eé]|cambie|tenga)\\b`),
    ],
  }
})()

const chinese: Language = (() => {
  const video =
    '@?(?:参考|原|原始|输入|这段|这个|该|此|上一段|本)?(?:视频|影片|片段|素材)\\s*[0-9一二三四五]?'
  const picture = `(?:${video}|画面|镜头)`
  const start = '^(?:请|请你|帮我|麻烦|现在|然后|再|并|并且|只|仅|把它|将其)*'
  const change =
    '(?:变成|变为|变得|改成|改为|换成|换为|换上|替换|更换|换个|换一|转换|转成|转为|调成|调整|调为|修改|改变|染成|涂成|添加|增加|加上|加入|加个|加一|删除|删掉|移除|去掉|去除|抹去|擦除|消除|戴上|穿上|编辑|修复|放大|变|换)'
  const feature =
    '(?:运镜|镜头语言|镜头运动|镜头|动作|舞蹈|走位|风格|画风|色调|光影|光线|灯光|节奏|音色|声音|语气|配乐|音乐|转场|剪辑|构图|氛围|特效|表情|姿势|手势|创意|视角|机位)'
  return {
    extends: [
      words(`(?:延长|延续|延伸|续写|续拍|接续|承接|接着|继续|衔接)(?:一下)?${video}`),
      words(
        `${video}(?:的)?(?:[^，]{0,4})(?:往后|向后|往前|向前|延长|继续往|之后|以后|后面|后续|接下来|之前的|更长|长一些|长一点)`,
      ),
      words(`(?:从|自|以)${video}的?(?:最后|结尾|末尾|末帧|尾帧|结束)`),
      words(`在${video}(?:之前|前面|前)|${video}(?:结束|播完|放完)之?后`),
    ],
    edits: [
      words(`${start}(?:把|将|给|让|使|对|为|在)?${picture}(?:里|中|内|上|的|整体|全部)*[^，]*?${change}`),
      words(`${start}(?:把|将|给|让|使|对|为|在)[^，]*${picture}(?!的?${feature})[^，]*?${change}`),
      words(
        `${start}(?:编辑|修改|修复|放大|剪掉|裁剪|美化|提升|增强|删除|移除|去除|去掉)(?:${picture}|画质|清晰度|分辨率)`,
      ),
    ],
    keeps: [
      words(
        '(?:保持|维持).*不变|(?:其余|其他|其它|别的|剩下).*(?:不变|一样|不动|照旧)|(?:不变|不要变|不要改|不改变|不做改动|保持原样)$',
      ),
    ],
    borrows: [
      words(
        '(?:参考|参照|仿照|模仿|按照|仿|复刻|学习|借鉴|沿用|还原|采用|使用|运用|根据).*(?:视频|影片|片段|素材)',
      ),
      words(`${video}(?:里|中|内)?的?[^，]{0,6}${feature}`),
      words(`(?:如|像|同|与|跟|和|照)${video}`),
    ],
    extendsIt: [
      words(
        '^(?:请)?(?:向前|向后|往后|往前|接着|继续)?(?:延长|续写|续拍|延续|接着拍|接着讲|往后拍|往前拍|继续拍|继续讲|继续(?:这个)?(?:故事|剧情|情节))|^继续$',
      ),
    ],
    editsIt: [
      words(`${start}(?:把|将|给|让)[^，]*${change}`),
      words(
        `${start}(?:删除|删掉|移除|去掉|去除|抹去|擦除|消除|替换|更换|修改|添加|增加|加上|加入|编辑|换成|改成|变成)`,
      ),
    ],
  }
})()

const japanese: Language = (() => {
  const video = '@?(?:参考|元の|この|その|同じ|入力)?(?:動画|ビデオ|映像|クリップ|ムービー|ショット)\\s*\\d*'
  const change =
    '(?:変え|変更|替え|取り替|置き換|置換|入れ替|差し替|削除|消し|消す|消去|除去|取り除|追加|加え|足し|足す|編集|修正|変換|加工|補正|修復|高画質化|く(?:して|する|し$)|に(?:して|する|しろ|し$)|だけ.+に)'
  const feature =
    '(?:カメラ|動き|モーション|振り付け|ダンス|作風|スタイル|画風|雰囲気|リズム|テンポ|声|音声|音楽|照明|光|色調|色合い|構図|編集|トランジション|演出|効果|表情|ポーズ|アングル)'
  return {
    extends: [
      words(
        `${video}(?:の|を|から|に)?(?:そのまま)?(?:続き|続け|続く|つづき|前に延|後に延|延長|延ば|伸ば|\\d+秒)`,
      ),
      words(`${video}を.*(?:延長|延ば|伸ば|長く)`),
      words(`${video}の(?:後(?!ろ)|あと|前の|直後|直前|次|最後|終わり|ラスト|末尾|終了)`),
      words('次に何が|^(?:この|その)?続き'),
    ],
    edits: [
      words(`^${video}(?!の[^がを]{0,8}${feature}|を(?:参|真似))[^が]*${change}`),
      words(`^[^が]*${video}を(?!参|真似)[^が]*${change}`),
    ],
    keeps: [
      words(
        '(?:他|ほか|それ以外|以外|残り|すべての要素).*(?:そのまま|変えな|変更しな|維持|同じ)|(?:維持する|そのままにする|変えない|変更しない)$',
      ),
    ],
    borrows: [
      words(`${video}の?[^、]{0,8}?${feature}`),
      words('(?:参考|参照|真似|まね|模倣|模して|倣|ならっ|基づ|のように|のような|と同じ|に合わせ|風に)'),
    ],
    extendsIt: [
      words(
        '^[^が]*(?:物語|話|ストーリー|シーン|場面|ショット|映像|終わり|ラスト)[^が]*(?:続け|続き|延長|延ば|伸ば)|^(?:延長|続け)',
      ),
    ],
    editsIt: [words(`^[^が]*(?:を|だけ)[^が]*${change}|^[^がは、]+(?:削除|除去|消去|追加)$`)],
  }
})()

export const languages: readonly Language[] = [english, spanish, chinese, japanese]
