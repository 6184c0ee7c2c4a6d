import { Marked } from 'marked'
import { gfmHeadingId } from 'marked-gfm-heading-id'
import { addressOf, type GuidePage, guideLink, guideSections, type LinkStyle } from './contents.ts'

/** A Markdown file of the package, and where its page is served. */
interface Shown {
  markdown: string
  /** The page of the guide; undefined for the list of pages. */
  page?: GuidePage
  style: LinkStyle
}

/** A page of the guide as HTML, in the style of the console. */
export function guideHtml({ markdown, page, style }: Shown): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? ''
  const { prefix } = style
  const console = prefix === '' ? '../' : './'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Guide</title>
<link rel="icon" href="${prefix}look/icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${page ? addressOf(page, { prefix, suffix: '.md' }) : 'guide.md'}">
<link rel="stylesheet" href="${prefix}look/tokens.css">
<link rel="stylesheet" href="${prefix}look/guide.css">
<script src="${prefix}look/theme.js"></script>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="brand" href="${console}"><img src="${prefix}look/icon.svg" alt="" width="24" height="24"> Gateway <span>emulator</span></a>
<nav aria-label="Emulator"><a href="${console}">Console</a><a href="${prefix === '' ? '../guide' : 'guide'}" aria-current="true">Guide</a><a href="${console}docs">API docs</a></nav>
</header>
<div class="sides">
<nav class="contents" aria-label="Pages of the guide">
${guideSections()
  .map(section => sectionHtml(section, page, style))
  .join('\n')}
</nav>
<main id="page" class="prose">
${articleHtml(markdown, style)}
</main>
</div>
</body>
</html>
`
}

function sectionHtml(
  { title, pages }: ReturnType<typeof guideSections>[number],
  current: GuidePage | undefined,
  style: LinkStyle,
): string {
  const items = pages.map(page => {
    const mark = page.name === current?.name ? ' aria-current="page"' : ''
    return `<li><a href="${addressOf(page, style)}"${mark}>${escaped(page.title)}</a></li>`
  })
  return `<h2>${escaped(title)}</h2>\n<ul>${items.join('')}</ul>`
}

/** The text is the project's own, so its HTML is not sanitised. Wide tables and code scroll by themselves, also by keyboard. */
function articleHtml(markdown: string, style: LinkStyle): string {
  const marked = new Marked(gfmHeadingId(), {
    async: false,
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image')
        token.href = guideLink(token.href, style) ?? token.href
    },
  })
  return (marked.parse(markdown) as string)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
