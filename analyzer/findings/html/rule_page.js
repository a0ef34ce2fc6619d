// The page of a rule: as much of Markdown as these pages use.

function inline(text) {
  const parts = text.split("`");
  return parts.map((part, i) => (i % 2 ? make("code", { text: part }) : document.createTextNode(part)));
}

// Blocks of lines: a heading, a list, an indented or fenced text, or a paragraph.
function pageOf(markdown) {
  const box = make("div", { class: "page text-page" });
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length;) {
    const line = lines[i];
    const take = (goesOn) => {
      const taken = [];
      while (i < lines.length && goesOn(lines[i], taken.length)) taken.push(lines[i++]);
      return taken;
    };
    const heading = /^(#+) (.*)/.exec(line);
    if (line.trim() === "") {
      ++i;
    } else if (heading) {
      box.append(make("h" + Math.min(heading[1].length + 1, 4), {}, ...inline(heading[2])));
      ++i;
    } else if (line.startsWith("```")) {
      ++i;
      box.append(make("pre", {}, make("code", { text: take((each) => !each.startsWith("```")).join("\n") })));
      ++i;
    } else if (line.startsWith("    ")) {
      box.append(make("pre", {}, make("code", { text: take((each) => each.startsWith("    ")).map((each) => each.slice(4)).join("\n") })));
    } else if (line.startsWith("- ")) {
      const items = [];
      for (const each of take((next) => next.startsWith("- ") || next.startsWith("  "))) {
        if (each.startsWith("- ")) items.push(each.slice(2));
        else items[items.length - 1] += " " + each.trim();
      }
      box.append(make("ul", {}, ...items.map((item) => make("li", {}, ...inline(item)))));
    } else {
      const taken = take((each) => each.trim() !== "" && !/^(#|```|- |    )/.test(each));
      box.append(make("p", {}, ...inline(taken.join(" "))));
    }
  }
  return box;
}

function showRule(id) {
  shown = null;
  const rule = report.rules.find((each) => each.id === id);
  const main = document.getElementById("main");
  const text = rule && rule.page ? rule.page : "# " + id + "\n\n" + (rule ? rule.summary : "No finding of this rule is in the report.");
  const page = pageOf(text);
  if (rule) {
    page.prepend(make("p", {}, make("a", { href: "#summary", text: "Summary" }), " \u203a " + count(rule.count, "finding") + " of this rule"));
  }
  main.replaceChildren(page);
  main.scrollTop = 0;
}
