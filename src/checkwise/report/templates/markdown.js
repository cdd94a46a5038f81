"use strict";
// Markdown, as models write it, drawn as nodes. Text only ever becomes text: no markup of the data is obeyed, pictures
// are not loaded, and only addresses of the web become links.

const BLOCK = {
  fence: /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/,
  heading: /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/,
  rule: /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/,
  quote: /^ {0,3}> ?(.*)$/,
  item: /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/,
  table: /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/,
};
const INLINE = /(`+)([^`](?:[^\n]*?[^`])?)\1(?!`)|\*\*(\S(?:[^\n]*?\S)?)\*\*|(?<![\w*])\*(\S(?:[^*\n]*?\S)?)\*(?![\w*])|!?\[([^\]\n]*)\]\(([^()\s]+)\)/;
const DEEPEST = 6;

function markdown(text, depth = 0) {
  const lines = text.split("\n");
  const blocks = [];
  let paragraph = [];
  const flush = () => {
    const said = paragraph.join("\n").replace(/^\n+|\s+$/g, "");
    if (said) blocks.push(withInline(element("p", { dir: "auto" }), said));
    paragraph = [];
  };
  for (let at = 0; at < lines.length;) {
    const [taken, block] = blockAt(lines, at, depth);
    if (taken) {
      flush();
      if (block) blocks.push(block);
      at += taken;
    } else {
      if (lines[at].trim()) paragraph.push(lines[at]);
      else flush();
      at += 1;
    }
  }
  flush();
  return blocks;
}

// How many lines the block at a place takes, and the block; none where a paragraph goes on.
function blockAt(lines, at, depth) {
  const line = lines[at];
  let found;
  if ((found = BLOCK.fence.exec(line))) return fenced(lines, at, found);
  if ((found = BLOCK.heading.exec(line))) return [1, withInline(element("p", { class: "heading", dir: "auto" }), found[2])];
  if (BLOCK.rule.test(line)) return [1, element("hr")];
  if (depth < DEEPEST && BLOCK.quote.test(line)) return quoted(lines, at, depth);
  if (depth < DEEPEST && BLOCK.item.test(line)) return listed(lines, at, depth);
  if (line.includes("|") && BLOCK.table.test(lines[at + 1] ?? "")) return tabled(lines, at);
  return [0, null];
}

function fenced(lines, at, [, fence, language]) {
  let end = at + 1;
  while (end < lines.length && !(lines[end].trim().startsWith(fence) && !lines[end].trim().slice(fence.length).replaceAll(fence[0], ""))) end += 1;
  const code = element("pre", { dir: "ltr", tabindex: 0, "data-language": language || undefined }, lines.slice(at + 1, end).join("\n"));
  return [Math.min(end + 1, lines.length) - at, code];
}

function quoted(lines, at, depth) {
  let end = at;
  while (end < lines.length && BLOCK.quote.test(lines[end])) end += 1;
  const inner = lines.slice(at, end).map((line) => BLOCK.quote.exec(line)[1]).join("\n");
  return [end - at, element("blockquote", {}, ...markdown(inner, depth + 1))];
}

function listed(lines, at, depth) {
  const [, indent, mark] = BLOCK.item.exec(lines[at]);
  const isOrdered = /\d/.test(mark);
  const list = element(isOrdered ? "ol" : "ul", { start: isOrdered && mark.slice(0, -1) !== "1" ? Number(mark.slice(0, -1)) : undefined });
  let end = at;
  while (end < lines.length) {
    const found = BLOCK.item.exec(lines[end]);
    if (!found || found[1].length > indent.length + 1 || found[1].length < indent.length || /\d/.test(found[2]) !== isOrdered) break;
    const inner = [found[3]];
    const width = found[0].length - found[3].length;
    end += 1;
    while (end < lines.length && isInside(lines, end, width)) {
      inner.push(lines[end].slice(Math.min(width, lines[end].length - lines[end].trimStart().length)));
      end += 1;
    }
    while (end < lines.length && !lines[end].trim() && BLOCK.item.test(lines[end + 1] ?? "")) end += 1;
    list.append(element("li", { dir: "auto" }, ...loosened(markdown(inner.join("\n"), depth + 1))));
  }
  return [Math.max(end - at, 1), list];
}

// Lines that are indented below an item belong to it, blank ones only if such a line follows.
function isInside(lines, at, width) {
  const isDeeper = (line) => line.trim() && line.length - line.trimStart().length >= Math.min(width, 2);
  if (lines[at].trim()) return isDeeper(lines[at]);
  return at + 1 < lines.length && isDeeper(lines[at + 1]);
}

// An item of one paragraph is shown without the paragraph's distance.
function loosened(blocks) {
  if (blocks[0]?.localName === "p" && !blocks[0].classList.length) blocks[0].classList.add("tight");
  return blocks;
}

function tabled(lines, at) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const row = (kind, line) => element("tr", {}, ...cells(line).map((cell) => withInline(element(kind, { dir: "auto" }), cell)));
  const table = element("table", { class: "markdown" }, element("thead", {}, row("th", lines[at])),
    element("tbody", {}, ...lines.slice(at + 2, end).map((line) => row("td", line))));
  return [end - at, element("div", { class: "scroll", role: "region", "aria-label": "Table in the text", tabindex: 0 }, table)];
}

function withInline(node, text) {
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index) node.append(visible(rest.slice(0, found.index)));
    node.append(inlineNode(found));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) node.append(visible(rest));
  return node;
}

function inlineNode([whole, , code, strong, emphasis, label, address]) {
  if (code !== undefined) return element("code", {}, code);
  if (strong !== undefined) return withInline(element("strong"), strong);
  if (emphasis !== undefined) return withInline(element("em"), emphasis);
  if (whole.startsWith("!") || !/^https?:\/\//i.test(address)) return visible(whole);
  return element("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank", title: address }, label || address);
}
