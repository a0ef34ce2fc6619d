// What the address asks for, the keys, and the theme.

const kThemes = ["", "light", "dark"];
const kThemeNames = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };

function say(text) {
  document.getElementById("said").textContent = text;
}

// What was chosen before; nothing where the browser keeps nothing for files.
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem("placecheck." + name, value);
    return localStorage.getItem("placecheck." + name) || "";
  } catch (error) {
    return "";
  }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.getElementById("theme").textContent = kThemeNames[theme];
}

function changeTheme() {
  const now = document.documentElement.dataset.theme || "";
  const next = kThemes[(kThemes.indexOf(now) + 1) % kThemes.length];
  setTheme(next);
  kept("theme", next);
  say(kThemeNames[next]);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return text;
  }
}

function showFinding(index) {
  const finding = report.findings[index];
  selected = index;
  showLine(finding.file, finding.line, index);
  say("Finding " + (index + 1) + " of " + report.findings.length + ": " + finding.message);
}

function route() {
  hideTip();
  const [, kind, rest] = /^#(\w+)=?(.*)$/.exec(location.hash) || [];
  if (kind === "finding" && report.findings[Number(rest) - 1]) {
    showFinding(Number(rest) - 1);
  } else if (kind === "file") {
    const [, path, line] = /^(.*?)(?::(\d+))?$/.exec(rest);
    const index = fileNamed(decoded(path));
    if (index < 0) showSummary();
    else if (line) showLine(index, Number(line));
    else showFile(index);
  } else if (kind === "rule") {
    showRule(decoded(rest));
  } else {
    showSummary();
  }
  markCurrent();
}

// The finding before or behind the one that was looked at, of those that the filter lets through.
function step(by) {
  if (matching.length === 0) return say("no finding is listed");
  const at = matching.indexOf(selected);
  const next = at < 0 ? (by > 0 ? 0 : matching.length - 1) : (at + by + matching.length) % matching.length;
  chooseTab("findings");
  const address = addressOf.finding(matching[next]);
  if (location.hash === address) route();
  else location.hash = address;
}

function inField(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  u: nextUnknown,
  l: () => document.body.classList.toggle("letters"),
  t: changeTheme,
  s: () => { location.hash = "#summary"; },
  "/": () => document.getElementById("filter").select(),
  "?": () => document.getElementById("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    hideTip();
    if (inField(document.activeElement)) document.activeElement.blur();
    return;
  }
  if (inField(event.target)) return;
  const action = keys[event.key];
  if (action) action();
  if (action || sourceKey(event)) event.preventDefault();
});

document.getElementById("filter").addEventListener("input", () => {
  mostItems = kMostItems;
  listFindings();
  listFiles();
});
document.getElementById("filter").addEventListener("keydown", (event) => {
  const link = document.querySelector('[role="tabpanel"]:not([hidden]) a');
  if (event.key === "Enter" && link) {
    location.hash = link.getAttribute("href");
    event.target.blur();
  }
});
document.getElementById("previous").addEventListener("click", () => step(-1));
document.getElementById("next").addEventListener("click", () => step(1));
document.getElementById("theme").addEventListener("click", changeTheme);
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
document.getElementById("skip").addEventListener("click", (event) => {
  document.getElementById("main").focus();
  event.preventDefault();
});
// The same address again: a click on what is shown already goes there, too.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
  if (link && link.id !== "skip" && link.getAttribute("href") === location.hash) route();
});
window.addEventListener("hashchange", route);

document.getElementById("headline").textContent = headline();
setTheme(kThemes.includes(kept("theme")) ? kept("theme") : "");
listFindings();
listFiles();
chooseTab(report.findings.length ? "findings" : "files");
route();
