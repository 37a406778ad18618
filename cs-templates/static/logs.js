// The raw logs, better with a script: older and newer lines come without a reload, the search marks the lines that
// are loaded while it is typed, and all of them can be copied or kept as a file. Each 1,000 lines are a table of
// their own, which the browser lays out only near the view.
"use strict";
(() => {
	const ROW_PX = 24, NEAR = 3, MARKED_MAX = 2000;
	const $ = (id) => document.getElementById(id);
	let lines = [], hits = [], at = -1, loadingAll = false, typed = 0;

	// ---- what is loaded

	const message = (tr) => tr.cells[4];
	const index = (page) => [...page.querySelectorAll("tbody > tr")].map((tr) => ({ tr, text: message(tr).textContent.toLowerCase() }));

	const plain = (e) => e.dataset.text ?? e.textContent;

	// Each line as text, those in a fold too.
	function asText({ tr }) {
		const [, time, level, from, cell] = tr.cells;
		const iso = (e) => e.querySelector("time")?.dateTime || "";
		const line = (when, text) => [when, level.textContent, from.textContent, text].join("\t").trimEnd();
		const fold = cell.querySelector("details"), text = plain(cell.firstElementChild);
		const inner = fold ? [...fold.querySelectorAll(".l-line")] : [];
		if (!fold) return line(iso(time), text);
		if (fold.querySelector(".l-body")) return line(iso(time), plain(fold.querySelector(".l-body")));
		if (fold.className === "l-trace") return inner.map((e) => line(iso(e), plain(e.lastElementChild))).join("\n");
		return [line(iso(time), text), ...inner.map((e) => line(iso(e), text))].join("\n");
	}

	const isShown = ({ tr }) => !tr.hidden && !tr.matches(".only-platform .proc, .only-process .plat");

	function all() {
		const rest = $("l-notall") && !$("l-notall").hidden ? "# This is not all of the log: " + $("l-foot").querySelector("b").textContent + "\n" : "";
		return rest + lines.filter(isShown).map(asText).join("\n") + "\n";
	}

	// The numbers in the choice of what is shown grow with each page.
	function count(page) {
		const options = $("l-only").options, add = (option, n) => { option.text = option.text.replace(/\d+$/, (was) => +was + n); };
		add(options[1], page.querySelectorAll(".plat").length);
		add(options[2], page.querySelectorAll(".proc").length);
	}

	// ---- search in what is loaded

	function mark() {
		if (!globalThis.Highlight) return;
		const ranges = [], q = $("l-q").value.toLowerCase();
		for (const { tr } of hits.slice(0, MARKED_MAX)) {
			const walk = document.createTreeWalker(message(tr), NodeFilter.SHOW_TEXT);
			for (let node = walk.nextNode(); node; node = walk.nextNode()) {
				const from = node.data.toLowerCase().indexOf(q);
				if (from < 0) continue;
				const range = new Range();
				range.setStart(node, from);
				range.setEnd(node, Math.min(node.length, from + q.length));
				ranges.push(range);
			}
		}
		CSS.highlights.set("hit", new Highlight(...ranges));
	}

	// Only the hits and a few lines around each, or all. Pages keep about their height while they are out of view.
	function narrow() {
		const only = hits.length > 0 && $("l-near").checked;
		const near = new Uint8Array(lines.length);
		if (only) lines.forEach((l, i) => { if (l.hit) near.fill(1, Math.max(0, i - NEAR), i + NEAR + 1); });
		lines.forEach(({ tr }, i) => { if (tr.hidden !== (only && !near[i])) tr.hidden = only && !near[i]; });
		for (const page of $("l-body").children) {
			const shown = only ? page.querySelectorAll("tbody > tr:not([hidden])").length : -1;
			page.hidden = shown === 0;
			page.style.containIntrinsicSize = only ? `auto ${shown * ROW_PX}px` : "";
		}
	}

	function search() {
		const q = $("l-q").value.toLowerCase();
		for (const l of lines) l.hit = q !== "" && l.text.includes(q);
		hits = lines.filter((l) => l.hit);
		at = -1;
		document.querySelector(".logs .cur")?.classList.remove("cur");
		$("l-hits").hidden = q === "";
		tell();
		mark();
		narrow();
	}

	function tell() {
		const n = hits.length.toLocaleString("en"), where = " in the lines loaded so far";
		$("l-count").textContent = at < 0 ? `${n} ${hits.length === 1 ? "line matches" : "lines match"}${where}` : `Match ${(at + 1).toLocaleString("en")} of ${n}${where}`;
	}

	function go(step) {
		if (!hits.length) return;
		document.querySelector(".logs .cur")?.classList.remove("cur");
		at = at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length;
		const { tr } = hits[at];
		tr.classList.add("cur");
		if (tr.querySelector("details") && !tr.querySelector("summary").textContent.toLowerCase().includes($("l-q").value.toLowerCase())) tr.querySelector("details").open = true;
		tr.scrollIntoView({ block: "center" });
		tell();
	}

	// ---- more of them

	async function load(a) {
		const up = a.dataset.up, foot = $("l-foot").querySelector(".l-foot"), box = $("l-body");
		const here = new URL(location.href), url = new URL(here.pathname + "/logs", here);
		url.searchParams.set("from", up || a.dataset.more);
		url.searchParams.set("n", up ? foot.dataset.before : foot.dataset.last);
		for (const k of here.searchParams.has("at") ? ["fold"] : ["q", "level", "in", "order", "fold"])
			if (here.searchParams.get(k)) url.searchParams.set(k, here.searchParams.get(k));
		const order = new URL(a.href).searchParams.get("order");
		if (order) url.searchParams.set("order", order);
		const answer = await fetch(url);
		const doc = new DOMParser().parseFromString(await answer.text(), "text/html");
		const page = doc.querySelector(".l-page"), next = doc.querySelector(".l-foot");
		if (!answer.ok || !page || !next) throw new Error(answer.status);
		const fresh = index(page);
		if (up) {
			box.prepend(page);
			box.scrollTop += page.offsetHeight;
			lines = fresh.concat(lines);
			foot.dataset.before = next.dataset.before;
			const higher = next.querySelector("[data-up]");
			if (higher) a.replaceWith(higher); else a.remove();
		} else {
			box.append(page);
			for (const l of fresh) lines.push(l);
			next.querySelector("[data-up]")?.remove();
			const older = foot.querySelector("[data-up]");
			if (older) next.append(" ", older);
			next.dataset.before = foot.dataset.before;
			$("l-foot").replaceChildren(next);
		}
		const shown = $("l-foot").querySelector(".l-foot"), before = shown.dataset.before, title = shown.querySelector("b");
		if (before !== "u") title.textContent = title.textContent.replace(/^Showing [\d,]+/, "Showing " + (+before + 1).toLocaleString("en"));
		if ($("l-notall")) $("l-notall").hidden = !shown.querySelector("[data-more], [data-up]") && !here.searchParams.get("q") && !here.searchParams.get("level");
		count(page);
		if (!loadingAll && $("l-q").value && !here.searchParams.get("q")) search();
		$("live").textContent = `${fresh.length} more lines loaded`;
		arm();
	}

	// A link that a reload follows as well, when the lines cannot be had in place.
	async function follow(a) {
		a.setAttribute("aria-busy", "true");
		a.textContent = "Loading…";
		try {
			await load(a);
			return true;
		} catch {
			location.href = a.href;
			return false;
		}
	}

	async function loadRest() {
		loadingAll = !loadingAll;
		arm();
		for (let a; loadingAll && (a = document.querySelector("#l-foot [data-more]"));) if (!await follow(a)) return;
		loadingAll = false;
		if ($("l-q").value && !hits.length) search();
		arm();
	}

	// ---- the page

	function arm() {
		if (!$("l-body")) return;
		$("l-copy").hidden = false;
		if (!$("l-rest")) return;
		$("l-rest").hidden = false;
		$("l-rest").textContent = loadingAll ? "Stop" : "Load all the rest";
	}

	function begin() {
		if (!$("l-body")) return;
		lines = [...$("l-body").children].flatMap(index);
		arm();
	}

	document.addEventListener("click", (ev) => {
		const a = ev.target.closest("#l-foot [data-more], #l-foot [data-up], #l-rest, #l-prev, #l-next, #l-copy, #l-file");
		if (!a || !$("l-body") || ev.ctrlKey || ev.metaKey) return;
		ev.preventDefault();
		if (a.id === "l-rest") loadRest();
		else if (a.id === "l-prev") go(-1);
		else if (a.id === "l-next") go(1);
		else if (a.id === "l-copy") navigator.clipboard.writeText(all()).then(() => { $("live").textContent = a.textContent = "Copied"; }, () => { a.textContent = "Could not copy"; });
		else if (a.id === "l-file") {
			const file = document.createElement("a");
			file.href = URL.createObjectURL(new Blob([all()], { type: "text/plain" }));
			file.download = location.pathname.split("/").pop() + ".log.txt";
			file.click();
			setTimeout(() => URL.revokeObjectURL(file.href), 60000);
		} else follow(a);
	});
	document.addEventListener("input", ({ target: { id, checked, value } }) => {
		const box = $("l-body");
		if (!box) return;
		if (id === "l-q") { clearTimeout(typed); typed = setTimeout(search, 150); }
		if (id === "l-near") narrow();
		if (id === "l-wrap") box.classList.toggle("nowrap-lines", checked);
		if (id === "l-fold") for (const d of box.querySelectorAll("details")) d.open = checked;
		if (id === "l-only") for (const k of ["platform", "process"]) box.classList.toggle("only-" + k, value === k);
	});
	document.addEventListener("casebook:renewed", begin);
	begin();
})();
