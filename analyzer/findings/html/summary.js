// The first page: what was checked, what was found, and how much of each file is known.

function percentOf(file) {
  return Math.floor((100 * file.known) / file.operations);
}

// One of five steps, dark where little is known.
function heatOf(operations, known) {
  if (!operations) return "none";
  const share = known / operations;
  return "h" + (share === 1 ? 4 : share >= 0.9 ? 3 : share >= 0.7 ? 2 : share >= 0.4 ? 1 : 0);
}

function heat(file) {
  const text = file.operations ? percentOf(file) + " %" : "\u2013";
  const title = file.operations
    ? "places known at " + file.known + " of " + count(file.operations, "operation")
    : "no operation that combines values";
  return make("span", { class: "heat " + heatOf(file.operations, file.known), text, title });
}

function numbers() {
  const all = report.totals;
  const list = make("ul", { class: "numbers" });
  const add = (number, words) =>
    list.append(make("li", {}, make("strong", { text: number }), make("span", { class: "dim", text: words })));
  add(all.findings, all.findings === 1 ? "finding" : "findings");
  add(all.files, "files checked, " + all.understood + " understood in full");
  if (all.partly) add(all.partly, "understood in part");
  if (all.not_understood) add(all.not_understood, "not understood");
  if (all.operations) {
    add(all.percent + " %", "of " + count(all.operations, "operation") + " with all places known");
  }
  if (all.suppressed) add(all.suppressed, "suppressed by comments");
  if (all.baselined) add(all.baselined, "known from the baseline");
  if (all.unchanged) add(all.unchanged, "not of the change");
  return list;
}

function table(headings, rows, label) {
  return make("table", { "aria-label": label },
    make("thead", {}, make("tr", {}, ...headings.map((text) => make("th", { scope: "col", text })))),
    make("tbody", {}, ...rows));
}

function rulesTable() {
  const rows = [...report.rules].sort((a, b) => b.count - a.count).map((rule) =>
    make("tr", {},
      make("td", { class: "number", text: rule.count }),
      make("td", {}, make("a", { href: addressOf.rule(rule.id), text: rule.id })),
      make("td", { text: rule.summary })));
  return table(["Findings", "Rule", "What it is about"], rows, "Findings by rule");
}

function tile(index) {
  const file = report.files[index];
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const share = file.operations
    ? percentOf(file) + " % of " + file.operations
    : "no operations";
  return make("a", {
    class: "tile " + heatOf(file.operations, file.known) + (file.findings ? " has" : ""),
    href: addressOf.file(index),
    title: file.path + (file.findings ? ": " + count(file.findings, "finding") : ""),
  }, make("span", { class: "name", text: name }), share + (file.findings ? ", " + count(file.findings, "finding") : ""));
}

function headline() {
  const all = report.totals;
  const parts = [(all.findings ? count(all.findings, "finding") : "no findings") + " in " + count(all.files, "file")];
  if (all.operations) {
    parts.push("places known at " + all.known + " of " + count(all.operations, "operation") + " (" + all.percent + " %)");
  }
  return parts.join("; ");
}

function heatMap() {
  const folders = new Map();
  let others = 0;
  report.files.forEach((file, index) => {
    if (!file.operations && !file.findings) {
      ++others;
      return;
    }
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1) || "./";
    folders.set(folder, (folders.get(folder) || []).concat(index));
  });
  const map = make("div", { class: "map" });
  for (const [folder, files] of folders) {
    const sum = { operations: 0, known: 0 };
    for (const index of files) {
      sum.operations += report.files[index].operations || 0;
      sum.known += report.files[index].known || 0;
    }
    map.append(make("section", {},
      make("h3", {}, folder + " ", heat(sum)),
      make("div", { class: "tiles" }, ...files.map(tile))));
  }
  if (others) {
    map.append(make("p", { class: "dim", text: count(others, "other file") + " without findings, in which no operation combines values." }));
  }
  return map;
}

function gaps() {
  const box = make("div");
  if (report.unmodelled.length) {
    const rows = report.unmodelled.slice(0, 20).map((call) =>
      make("tr", {}, make("td", { class: "number", text: call.count }), make("td", {}, make("code", { text: call.name }))));
    box.append(make("h2", { text: "Where unknown places come from" }),
      make("p", { class: "dim", text: "Calls that no model describes, the most frequent first. --models=FILE says what they mean." }),
      table(["Calls", "Function"], rows, "Calls without a model"));
  }
  const doubtful = report.files.map((file, index) => ({ file, index })).filter(({ file }) => file.doubt || file.left_out);
  if (doubtful.length) {
    const rows = doubtful.map(({ file, index }) => make("tr", {},
      make("td", {}, make("a", { href: addressOf.file(index), text: file.path })),
      make("td", { text: [file.doubt || "", ...(file.left_out || [])].filter(Boolean).join("; ") })));
    box.append(make("h2", { text: "Files that were not understood in full" }), table(["File", "Why"], rows, "Files in doubt"));
  }
  if (report.too_large.length) {
    box.append(make("h2", { text: "Programs too large to follow every path" }),
      make("ul", {}, ...report.too_large.map((name) => make("li", {}, make("code", { text: name })))));
    const rows = report.large_functions.map((each) => make("tr", {},
      make("td", {}, make("code", { text: each.name })), make("td", { text: each.path + ":" + each.line })));
    if (rows.length) box.append(table(["Function", "Where"], rows, "Functions of which not every path was followed"));
  }
  return box;
}

function showSummary() {
  shown = null;
  const page = make("div", { class: "page" }, make("h2", { text: "Summary" }), numbers());
  if (report.rules.length) page.append(make("h2", { text: "Findings by rule" }), rulesTable());
  else page.append(make("p", { text: "Nothing was found. About values whose place is not known, placecheck is silent." }));
  page.append(make("h2", { text: "Where places are known" }),
    make("p", { class: "dim", text: "The share of the operations at which the places of all values are known, " +
      "by file: the darker (in the dark theme, the lighter), the less is known. A frame marks files with findings." }),
    heatMap(), gaps());
  document.getElementById("main").replaceChildren(page);
  document.getElementById("main").scrollTop = 0;
}
