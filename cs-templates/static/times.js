// Times in another zone. The pages are made in UTC; here <time datetime> is written again in the zone that was
// chosen, and so are the words "UTC" that stand for such times. What is not a <time> stays UTC, and is said to.
"use strict";
(() => {
	const KEY = "casebook.zone";
	const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
	const pick = document.getElementById("zone");
	const said = document.getElementById("zone-said");
	const was = new WeakMap(); // text node or option: its words in UTC
	const format = {};
	let zone = "UTC";
	let name = "UTC";

	const recall = () => { try { return localStorage.getItem(KEY) || "utc"; } catch { return "utc"; } };
	const keep = (v) => { try { localStorage.setItem(KEY, v); } catch { /* it holds for this page */ } };

	function zoneOf(choice) {
		const z = choice === "mine" ? Intl.DateTimeFormat().resolvedOptions().timeZone : choice === "customer" ? pick.dataset.zone : "UTC";
		try { Intl.DateTimeFormat("en", { timeZone: z }); return z || "UTC"; } catch { return "UTC"; }
	}
	const cityOf = (z) => (/^(Etc\/)?UTC$/.test(z) ? "UTC" : z.split("/").pop().replaceAll("_", " "));

	function parts(date, z) {
		format[z] ??= new Intl.DateTimeFormat("en-GB", { timeZone: z, year: "numeric", month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
		return Object.fromEntries(format[z].formatToParts(date).map((p) => [p.type, p.value]));
	}

	// "24 Nov 23:50:07" with the parts of another zone; a time without a date says when it falls on another day.
	function words(text, date) {
		const to = parts(date, zone), from = parts(date, "UTC");
		const day = `${to.day} ${MONTHS[to.month - 1]}`;
		let dated = false;
		const out = text
			.replace(/\d{1,2} [A-Z][a-z]{2}\b( \d{4})?/, (m, y) => { dated = true; return day + (y || to.year !== from.year ? ` ${to.year}` : ""); })
			.replace(/\d\d:\d\d/, `${to.hour}:${to.minute}`);
		return dated || to.day === from.day ? out : `${out} (${day})`;
	}

	function say(node, make) {
		if (!node) return;
		if (!was.has(node)) was.set(node, node.data);
		const text = zone === "UTC" ? was.get(node) : make(was.get(node));
		if (node.data !== text) node.data = text;
	}

	function write(root) {
		for (const t of root.querySelectorAll("time[datetime]")) {
			const date = new Date(t.dateTime);
			if (Number.isNaN(+date)) continue;
			say([...t.childNodes].find((n) => n.nodeType === 3), (text) => words(text, date));
			const next = t.nextSibling;
			if (next && next.nodeType === 3 && /^\s*UTC\b/.test(was.get(next) ?? next.data)) say(next, (text) => text.replace("UTC", name));
		}
		// heads name the zone of their column; one without <time> in its cells keeps UTC
		for (const h of root.querySelectorAll("th, .tl-head > *")) {
			const node = [...h.childNodes].find((n) => n.nodeType === 3 && /UTC/.test(was.get(n) ?? n.data));
			if (!node) continue;
			const row = h.closest("table")?.tBodies[0]?.rows[0];
			if (h.matches("th") ? row?.cells[h.cellIndex]?.querySelector("time") : document.querySelector(".tl time")) say(node, (text) => text.replace("UTC", name));
		}
	}

	function note() {
		for (const m of document.querySelectorAll(".sec > .margin")) {
			let p = m.querySelector(".zone-note");
			const wanted = zone !== "UTC" && m.parentNode.querySelector("time");
			if (wanted && !p) { p = document.createElement("p"); p.className = "zone-note"; m.append(p); }
			if (p) { p.hidden = !wanted; p.textContent = `Times in lists: ${name}. In sentences and charts: UTC.`; }
		}
		said.textContent = zone === "UTC" ? "Times are UTC." : `Times are ${name}; those in sentences, charts and fields are UTC.`;
	}

	function choose(choice) {
		zone = zoneOf(choice);
		if (/^(Etc\/)?UTC$/.test(zone)) zone = "UTC";
		name = zone === "UTC" ? "UTC" : `${cityOf(zone)} time`;
		write(document);
		note();
	}

	if (!pick || !said) return;
	for (const o of pick.options) if (o.value !== "utc") o.textContent += ` (${cityOf(zoneOf(o.value))})`;
	pick.value = recall();
	if (pick.selectedIndex < 0) pick.value = "utc"; // the customer's, on a page without one
	pick.addEventListener("change", () => { keep(pick.value); choose(pick.value); });
	pick.parentNode.classList.add("on");
	if (pick.value !== "utc") choose(pick.value);

	// What other scripts bring later: more log lines, a new panel.
	new MutationObserver((all) => {
		if (zone === "UTC") return;
		const roots = new Set(all.filter((m) => [...m.addedNodes].some((n) => n.nodeType === 1)).map((m) => m.target));
		for (const root of roots) write(root);
		if (roots.size) note();
	}).observe(document.getElementById("main"), { childList: true, subtree: true });

	// Copied times are ISO 8601, in UTC.
	document.addEventListener("copy", (ev) => {
		const sel = getSelection();
		if (sel.isCollapsed || ev.target.closest?.("input, textarea")) return;
		const of = (n) => (n.nodeType === 1 ? n : n.parentElement).closest("time");
		const one = of(sel.anchorNode);
		let text = one && one === of(sel.focusNode) ? one.dateTime : "";
		if (!text) {
			const times = [...document.querySelectorAll("time[datetime]")].filter((t) => sel.containsNode(t));
			if (!times.length) return;
			const kept = times.map((t) => [...t.childNodes]);
			times.forEach((t) => t.replaceChildren(t.dateTime));
			text = sel.toString();
			times.forEach((t, i) => t.replaceChildren(...kept[i]));
		}
		ev.clipboardData.setData("text/plain", text);
		ev.preventDefault();
	});
})();
