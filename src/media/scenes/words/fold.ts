/**
 * A prompt, or words of a table, in the form in which they are compared: small letters, composed, without the accents of Greek, the vowel points of
 * Arabic and Hebrew, and with one form of letters that are often exchanged (ё is е, أ is ا).
 */
export function fold(text: string): string {
  const plain = text.normalize('NFC').toLowerCase()
  return /[\u0370-\u06ff\u1f00-\u1fff]/.test(plain) ? foldScripts(plain) : plain
}

function foldScripts(text: string): string {
  return text
    .replace(/[\u0370-\u03ff\u1f00-\u1fff]+/g, greek => greek.normalize('NFD').replace(/\p{M}/gu, ''))
    .replace(/[\u0591-\u05c7\u0640\u064b-\u0652\u0670]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/ё/g, 'е')
}
