// Single keys: to move and to open, never to do. They are off while somebody types, with Ctrl, Alt and Meta, and
// wholly when "Single keys on" is not ticked (kept in this browser).
"use strict";
(() => {
	const KEY = "casebook.keys";
	const list = document.getElementById("keys");
	const on = document.getElementById("keys-on");
	const button = document.getElementById("keys-open");
	const hint = document.querySelector(".find kbd");
	const one = (sel) => [...document.querySelectorAll(sel)].find((e) => e.offsetParent);

	function show(e) {
		e.focus();
		e.scrollIntoView({ block: "nearest" });
	}

	// The links that rows are opened by.
	const rows = (sel) => [...document.querySelectorAll(sel)].filter((r) => r.offsetParent).map((r) => r.querySelector("a[href]")).filter(Boolean);

	function step(links, by) {
		if (!links.length) return false;
		const row = document.activeElement.closest("tr, li");
		const at = links.findIndex((a) => a === document.activeElement || (row && row.contains(a)));
		show(links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))]);
		return true;
	}

	function overlap(by) {
		return step(rows("main tr.over"), by) || follow(by > 0 ? "a[rel=next]" : "a[rel=prev]");
	}

	function follow(sel) {
		const a = one(sel);
		if (a) a.click();
		return Boolean(a);
	}

	function field(sel) {
		const e = one(sel);
		if (e) { show(e); e.select?.(); }
		return Boolean(e);
	}

	const row = (by) => step(rows("main table.rows tbody tr, main .history li, main .next li, main .proposals li"), by);
	const keys = {
		"/": () => field("#q") || field("#bar-q"),
		j: () => row(1),
		k: () => row(-1),
		n: () => overlap(1),
		p: () => overlap(-1),
		l: () => follow("#l-show, #raw a.btn"),
		g: () => field("#from") || follow(".s-window a"),
		"?": () => { list.togglePopover(); return true; },
	};

	const recall = () => { try { return localStorage.getItem(KEY) !== "off"; } catch { return true; } };
	const isTyping = (e) => e.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

	if (!list || !list.togglePopover) return;
	list.hidden = button.hidden = false;
	on.checked = recall();
	hint.hidden = !on.checked;
	on.addEventListener("change", () => {
		hint.hidden = !on.checked;
		try { localStorage.setItem(KEY, on.checked ? "on" : "off"); } catch { /* it holds for this page */ }
	});
	document.addEventListener("keydown", (ev) => {
		if (ev.defaultPrevented || ev.isComposing || ev.ctrlKey || ev.altKey || ev.metaKey) return;
		if (ev.key === "Escape" && isTyping(ev.target)) ev.target.blur();
		if (!on.checked || isTyping(ev.target) || !Object.hasOwn(keys, ev.key)) return;
		if (ev.key !== "?" && list.matches(":popover-open")) return;
		if (keys[ev.key]()) ev.preventDefault();
	});
})();
