// Copy buttons. They are hidden in the markup, because without a script they could do nothing; what they say when
// they have copied is said in place, and announced. Times are copied as ISO 8601.
"use strict";
(() => {
	const WAS_MS = 2000;

	// The text of an element; a time in it by its machine form, for it is read elsewhere.
	function textOf(from) {
		const copy = from.cloneNode(true);
		for (const t of copy.querySelectorAll("time[datetime]")) t.textContent = t.dateTime;
		return copy.textContent;
	}

	const show = () => { for (const b of document.querySelectorAll("[data-copy],[data-copy-text]")) b.hidden = false; };

	document.addEventListener("click", async (ev) => {
		const b = ev.target.closest("[data-copy],[data-copy-text]");
		if (!b || b.dataset.was) return;
		const from = b.dataset.copy && document.getElementById(b.dataset.copy);
		b.dataset.was = b.textContent;
		try {
			await navigator.clipboard.writeText(from ? textOf(from) : b.dataset.copyText);
			b.textContent = "Copied";
		} catch {
			b.textContent = "Could not copy";
		}
		document.getElementById("live").textContent = b.textContent;
		setTimeout(() => { b.textContent = b.dataset.was; delete b.dataset.was; }, WAS_MS);
	});
	document.addEventListener("casebook:renewed", show);
	show();
})();
