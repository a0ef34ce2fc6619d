// The source of one file: its lines, values coloured by place, findings below their lines.

const kChunk = 200;  // lines; the browser lays out those that are seen

let shown = null;  // { file, source, lines: elements by number, cards: by finding }

function findingsIn(file) {
  return report.findings
    .map((finding, index) => ({ finding, index }))
    .filter(({ finding }) => finding.file === file);
}

// The columns of a range on a line; null where it is not on it.
function columnsOn(range, line, length) {
  const last = range.end_line || range.line;
  if (line < range.line || line > last) return null;
  const start = line === range.line ? range.start : 0;
  const end = range.end_line && line === last ? range.end : range.end_line ? length : start + 1;
  return start < end ? [start, Math.min(end, length)] : null;
}

// Of the findings of a file, by line, the columns that they are about.
function marksOf(findings, lines) {
  const marks = new Map();
  for (const { finding } of findings) {
    for (let n = finding.line; n <= (finding.end_line || finding.line); ++n) {
      const columns = columnsOn(finding, n, (lines[n - 1] || "").length);
      if (columns) marks.set(n, (marks.get(n) || []).concat([columns]));
    }
  }
  return marks;
}

function codeOf(source, number, marks, started) {
  const text = source.lines[number - 1];
  const segments = (source.segments && source.segments[number - 1]) || [];
  const code = document.createElement("code");
  if (segments.length === 0 && marks.length === 0) {
    code.append(text);
    return code;
  }
  const cuts = new Set([0, text.length]);
  for (let i = 0; i < segments.length; i += 3) cuts.add(segments[i]).add(segments[i + 1]);
  for (const [start, end] of marks) cuts.add(start).add(end);
  const positions = [...cuts].sort((a, b) => a - b);
  for (let i = 0, at = 0; i + 1 < positions.length; ++i) {
    const [from, to] = [positions[i], positions[i + 1]];
    while (at < segments.length && segments[at + 1] <= from) at += 3;
    const covered = at < segments.length && segments[at] <= from;
    let piece = document.createTextNode(text.slice(from, to));
    if (covered) piece = value(source, segments[at + 2], piece, started);
    if (marks.some(([start, end]) => start <= from && to <= end)) {
      const mark = document.createElement("mark");
      mark.append(piece);
      piece = mark;
    }
    code.append(piece);
  }
  return code;
}

function value(source, expression, text, started) {
  const kind = source.kinds[source.expressions[expression]];
  const looks = looksOf(source, kind);
  const span = document.createElement("span");
  span.className = "x " + kind.look.style;
  span.dataset.e = expression;
  span.tabIndex = -1;
  if (!started.has(expression)) {
    started.add(expression);
    span.dataset.first = "";
    span.dataset.letter = looks.map((look) => look.letter).join("");
  }
  span.append(text);
  return span;
}

function chipsOf(source, number) {
  const chips = make("span", { class: "chips" });
  const segments = (source.segments && source.segments[number - 1]) || [];
  const looks = new Map();
  for (let i = 2; i < segments.length; i += 3) {
    const kind = source.kinds[source.expressions[segments[i]]];
    for (const look of looksOf(source, kind)) looks.set(look.key, look);
  }
  for (const look of [...looks.values()].sort((a, b) => a.rank - b.rank)) chips.append(chip(look));
  return chips;
}

function noteItem(note) {
  const item = make("li", {}, note.message, " \u2014 ", make("a", {
    href: addressOf.file(note.file, note.line),
    text: pathOf(note.file) + ":" + note.line,
  }));
  const source = sourceOf(note.file);
  const text = source && (source.lines[note.line - 1] || "").trim();
  if (text) item.append(make("code", { class: "text", text }));
  return item;
}

function cardOf(finding, index) {
  const heading = make("h3", {},
    make("span", { class: "severity " + finding.severity, text: finding.severity }), " ", finding.message);
  const card = make("section", {
    class: "card " + finding.severity, id: "card-" + index, tabindex: "-1",
    "aria-label": "Finding " + (index + 1) + " of " + report.findings.length,
  }, heading);
  if (finding.notes.length) {
    card.append(make("ol", { "aria-label": "How it comes about" }, ...finding.notes.map(noteItem)));
  }
  const facts = make("dl");
  const add = (name, ...content) => facts.append(make("dt", { text: name }), make("dd", {}, ...content));
  if (finding.error) add("At run time", make("code", { text: finding.error }));
  if (finding.fix) add("Fix", finding.fix);
  if (finding.scenarios) add("Only with", finding.scenarios);
  if (finding.program && finding.program !== pathOf(finding.file)) add("Program", make("code", { text: finding.program }));
  add("Rule", make("a", { href: addressOf.rule(finding.rule), text: finding.rule }));
  card.append(facts);
  return card;
}

function factsOf(file) {
  const facts = [];
  if (file.operations) {
    facts.push("places known at " + file.known + " of " + count(file.operations, "operation") +
      " (" + percentOf(file) + " %)");
  } else {
    facts.push("no operation that combines values");
  }
  if (file.findings) facts.push(count(file.findings, "finding"));
  if (file.doubt) facts.push(file.doubt);
  for (const each of file.left_out || []) facts.push("left out: " + each);
  const large = report.large_functions.filter((each) => each.path === file.path);
  if (large.length) {
    facts.push("not every path followed in " + large.map((each) => each.name + " (line " + each.line + ")").join(", "));
  }
  return facts.join("; ");
}

function showFile(index) {
  if (shown && shown.file === index) return shown;
  const file = report.files[index];
  const source = sourceOf(index);
  const top = make("div", { class: "top" }, make("h2", { text: file.path }), make("p", { text: factsOf(file) }));
  const main = document.getElementById("main");
  shown = { file: index, source, lines: [], cards: new Map() };
  if (!source) {
    const body = make("div", { class: "page" }, make("p", { text: "The source of this file is not in the report." }));
    for (const { finding, index: which } of findingsIn(index)) {
      const card = cardOf(finding, which);
      shown.cards.set(which, card);
      body.append(card);
    }
    main.replaceChildren(top, body);
    return shown;
  }
  if (source.kinds && source.kinds.length) top.append(legend(source));
  main.replaceChildren(top, body(source, findingsIn(index)));
  main.scrollTop = 0;
  main.scrollLeft = 0;
  return shown;
}

function body(source, findings) {
  const marks = marksOf(findings, source.lines);
  const open = new Set((source.unknown_operations || []).map(([line]) => line));
  const started = new Set();
  const box = make("div", {
    class: "source", tabindex: "0", role: "region",
    "aria-label": "Source; the arrow keys go from value to value",
  });
  const addCard = (parent, { finding, index }) => {
    const card = cardOf(finding, index);
    shown.cards.set(index, card);
    parent.append(card);
  };
  const isNowhere = ({ finding }) => finding.line < 1 || finding.line > source.lines.length;
  for (const each of findings.filter(isNowhere)) addCard(box, each);  // about the file as a whole
  let chunk = null;
  for (let number = 1; number <= source.lines.length; ++number) {
    if ((number - 1) % kChunk === 0) box.append(chunk = make("div", { class: "chunk" }));
    const here = findings.filter(({ finding }) => finding.line === number);
    const row = make("div", { class: "l", id: "L" + number });
    const no = make("a", {
      class: "no" + (here.length ? " found" : "") + (open.has(number) ? " open" : ""),
      href: addressOf.file(shown.file, number), text: number, tabindex: "-1",
      title: open.has(number) ? "an operation here combines values of which not all places are known" : null,
    });
    row.append(no, chipsOf(source, number), codeOf(source, number, marks.get(number) || [], started));
    shown.lines[number] = row;
    chunk.append(row);
    for (const each of here) addCard(chunk, each);
  }
  return box;
}

// Shows a line, or a finding, of a file; with the steps of the finding's evidence.
function showLine(file, line, finding) {
  const view = showFile(file);
  for (const row of document.querySelectorAll(".here, .step, .now")) row.classList.remove("here", "step", "now");
  const row = view.lines[line];
  if (row) {
    row.classList.add("here");
    row.scrollIntoView({ block: "center" });
  }
  const card = view.cards.get(finding);
  if (!card) return;
  card.classList.add("now");
  for (const note of report.findings[finding].notes) {
    if (note.file === file && view.lines[note.line]) view.lines[note.line].classList.add("step");
  }
  if (!row) card.scrollIntoView({ block: "center" });
}

// --- What is said of a value that is pointed at, or focused ---

const tip = document.getElementById("tip");
let pinned = false;

function expressionAt(target) {
  return target instanceof Element ? target.closest(".x") : null;
}

function light(span) {
  for (const each of document.querySelectorAll(".x.over")) each.classList.remove("over");
  if (!span) return;
  for (const each of document.querySelectorAll('.x[data-e="' + span.dataset.e + '"]')) each.classList.add("over");
}

function showTip(span, isPinned) {
  light(span);
  tip.replaceChildren(explanation(shown.source, Number(span.dataset.e)));
  tip.hidden = false;
  pinned = isPinned;
  span.setAttribute("aria-describedby", "tip");
  const at = span.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const below = at.bottom + 6 + size.height < window.innerHeight;
  tip.style.left = Math.max(4, Math.min(at.left, window.innerWidth - size.width - 8)) + "px";
  tip.style.top = Math.max(4, below ? at.bottom + 6 : at.top - size.height - 6) + "px";
}

function hideTip() {
  if (tip.hidden) return;
  tip.hidden = true;
  pinned = false;
  light(null);
  for (const each of document.querySelectorAll(".x[aria-describedby]")) each.removeAttribute("aria-describedby");
}

// The nearest value in a direction: in the line, or in the next line that has one.
function neighbour(span, key) {
  const row = span.closest(".l");
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const all = [...row.querySelectorAll(".x")];
    const next = all[all.indexOf(span) + (key === "ArrowRight" ? 1 : -1)];
    if (next) return next;
  }
  const forwards = key === "ArrowDown" || key === "ArrowRight";
  const left = span.getBoundingClientRect().left;
  let number = Number(row.id.slice(1));
  while (shown.lines[number += forwards ? 1 : -1]) {
    const all = [...shown.lines[number].querySelectorAll(".x")];
    if (all.length === 0) continue;
    if (key === "ArrowRight") return all[0];
    if (key === "ArrowLeft") return all[all.length - 1];
    const distance = (each) => Math.abs(each.getBoundingClientRect().left - left);
    return all.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  }
  return null;
}

function focusValue(span) {
  span.focus({ preventScroll: true });
  span.scrollIntoView({ block: "nearest", inline: "nearest" });
  showTip(span, false);
}

function firstValueInSight() {
  const here = document.querySelector(".here .x");
  if (here) return here;
  const top = document.querySelector(".top").getBoundingClientRect().bottom;
  return [...document.querySelectorAll(".x")].find((each) => each.getBoundingClientRect().top >= top) || null;
}

// Whether the key was for the source.
function sourceKey(event) {
  if (!event.key.startsWith("Arrow") && event.key !== "Enter") return false;
  const span = expressionAt(document.activeElement);
  const inSource = document.activeElement && document.activeElement.classList.contains("source");
  if (!span && !inSource) return false;
  if (event.key === "Enter") {
    const link = span && tip.querySelector("a");
    if (link) location.hash = link.getAttribute("href");
    return Boolean(link);
  }
  const next = span ? neighbour(span, event.key) : firstValueInSight();
  if (next) focusValue(next);
  return true;
}

function nextUnknown() {
  const places = shown && shown.source && shown.source.unknown_operations;
  if (!places || places.length === 0) return say("no operation of this file lacks a place");
  const here = document.querySelector(".here");
  const line = here ? Number(here.id.slice(1)) : 0;
  const next = places.find(([each]) => each > line) || places[0];
  location.hash = addressOf.file(shown.file, next[0]);
}

document.addEventListener("mouseover", (event) => {
  const span = expressionAt(event.target);
  if (span && !pinned) showTip(span, false);
  else if (!span && !pinned && !tip.contains(event.target) && !expressionAt(document.activeElement)) hideTip();
});
document.addEventListener("click", (event) => {
  const span = expressionAt(event.target);
  if (span) showTip(span, true);
  else if (!tip.contains(event.target)) hideTip();
});
document.getElementById("main").addEventListener("scroll", () => {
  if (!expressionAt(document.activeElement)) hideTip();
});
