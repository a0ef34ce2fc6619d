// The lists beside the source: findings, and files in their folders.

const kMostItems = 300;  // at a time; more are a click away

let selected = -1;  // finding
let matching = [];  // indices of the findings that the filter lets through
let mostItems = kMostItems;

function words() {
  return document.getElementById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
}

function fits(text, wanted) {
  const lower = text.toLowerCase();
  return wanted.every((word) => lower.includes(word));
}

function findingItem(index) {
  const finding = report.findings[index];
  const link = make("a", {
    class: "item", href: addressOf.finding(index), "data-finding": index,
    "aria-current": index === selected ? "true" : null,
  }, make("span", { class: "severity " + finding.severity, text: finding.severity }), " " + finding.message,
  make("span", { class: "where", text: pathOf(finding.file) + ":" + finding.line + " \u00b7 " + finding.rule }));
  return make("li", {}, link);
}

function listFindings() {
  const wanted = words();
  matching = [];
  report.findings.forEach((finding, index) => {
    const text = [pathOf(finding.file), finding.rule, finding.severity, finding.message,
      finding.scenarios].join(" ");
    if (fits(text, wanted)) matching.push(index);
  });
  const list = make("ol", { class: "items" }, ...matching.slice(0, mostItems).map(findingItem));
  const panel = document.getElementById("findings");
  panel.replaceChildren(list);
  if (matching.length === 0) {
    panel.replaceChildren(make("p", {
      class: "none", text: report.findings.length ? "No finding has these words." : "Nothing was found.",
    }));
  }
  if (matching.length > mostItems) {
    panel.append(make("button", {
      type: "button", text: "Show all " + matching.length,
      click: () => { mostItems = Infinity; listFindings(); },
    }));
  }
  setTab("findings", matching.length, report.findings.length, "Findings");
}

// Folders with their files and the sums of what is known of them.
function folderTree(files) {
  const root = { folders: new Map(), files: [], operations: 0, known: 0, findings: 0 };
  for (const index of files) {
    const file = report.files[index];
    const parts = file.path.split("/");
    let folder = root;
    const add = () => {
      folder.operations += file.operations || 0;
      folder.known += file.known || 0;
      folder.findings += file.findings;
    };
    add();
    for (const part of parts.slice(0, -1)) {
      if (!folder.folders.has(part)) {
        folder.folders.set(part, { folders: new Map(), files: [], operations: 0, known: 0, findings: 0 });
      }
      folder = folder.folders.get(part);
      add();
    }
    folder.files.push(index);
  }
  return root;
}

function findingCount(number) {
  return number ? make("span", { class: "count", text: number, title: count(number, "finding") }) : null;
}

function treeOf(folder, isOpen) {
  const list = make("ul");
  for (let [name, inner] of folder.folders) {
    // A folder that holds another one alone is one row with it.
    while (inner.files.length === 0 && inner.folders.size === 1) {
      const [[next, below]] = inner.folders;
      name += "/" + next;
      inner = below;
    }
    const row = make("span", { class: "row" }, make("span", { class: "name", text: name + "/" }), findingCount(inner.findings), heat(inner));
    const details = make("details", { open: isOpen }, make("summary", {}, row));
    let filled = false;
    const fill = () => {
      if (filled || !details.open) return;
      filled = true;
      details.append(treeOf(inner, isOpen));
    };
    details.addEventListener("toggle", fill);
    fill();
    list.append(make("li", {}, details));
  }
  for (const index of folder.files) {
    const file = report.files[index];
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    list.append(make("li", {}, make("a", {
      class: "row", href: addressOf.file(index), title: file.path, "data-file": index,
      "aria-current": shown && shown.file === index ? "true" : null,
    }, make("span", { class: "name", text: name }), findingCount(file.findings), heat(file))));
  }
  return list;
}

function listFiles() {
  const wanted = words();
  const files = [];
  report.files.forEach((file, index) => { if (fits(file.path, wanted)) files.push(index); });
  const panel = document.getElementById("files");
  const isOpen = files.length <= 200;
  if (files.length) panel.replaceChildren(make("div", { class: "tree" }, treeOf(folderTree(files), isOpen)));
  else panel.replaceChildren(make("p", { class: "none", text: "No file has these words in its path." }));
  setTab("files", files.length, report.files.length, "Files");
}

function setTab(name, number, all, words) {
  const text = words + " (" + (number === all ? all : number + " of " + all) + ")";
  document.getElementById("tab-" + name).textContent = text;
}

function chooseTab(name) {
  for (const each of ["findings", "files"]) {
    const tab = document.getElementById("tab-" + each);
    tab.setAttribute("aria-selected", each === name);
    tab.tabIndex = each === name ? 0 : -1;
    document.getElementById(each).hidden = each !== name;
  }
}

function markCurrent() {
  for (const link of document.querySelectorAll("nav a[aria-current]")) link.removeAttribute("aria-current");
  const finding = document.querySelector('nav [data-finding="' + selected + '"]');
  const file = shown && document.querySelector('nav [data-file="' + shown.file + '"]');
  for (const link of [finding, file]) {
    if (!link) continue;
    link.setAttribute("aria-current", "true");
    link.scrollIntoView({ block: "nearest" });
  }
}

for (const name of ["findings", "files"]) {
  const tab = document.getElementById("tab-" + name);
  tab.addEventListener("click", () => chooseTab(name));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = name === "findings" ? "files" : "findings";
    chooseTab(other);
    document.getElementById("tab-" + other).focus();
    event.preventDefault();
    event.stopPropagation();
  });
}
