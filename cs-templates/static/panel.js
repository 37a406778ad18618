// The panel of a running investigation renews itself: it is asked for every 2 s, after a minute every 5 s, and not
// while the tab is hidden. Most answers are "not modified". The line with the step is a status for screen readers:
// it stays the same element and changes with the step only. Without a script the page reloads itself.
"use strict";
(() => {
	const OFTEN_MS = 2000, SELDOM_MS = 5000, OFTEN_FOR_MS = 60000;
	let ticking = 0;

	const parse = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

	// When the work is over, the page's content is exchanged as a whole, so that charts and marks fit the finding. The
	// place on the page stays; focus moves only when it was inside the panel.
	async function renew() {
		const main = document.getElementById("main");
		const inside = document.getElementById("panel").contains(document.activeElement);
		const doc = await parse(await fetch(location.pathname + location.search.replace(/[?&]already=1/, ""), { cache: "no-store" }));
		document.title = doc.title;
		main.replaceChildren(...doc.getElementById("main").childNodes);
		clearInterval(ticking);
		document.dispatchEvent(new Event("casebook:renewed"));
		const head = document.getElementById("headline");
		const word = (selector) => (document.querySelector("#panel " + selector)?.textContent || "").trim();
		document.getElementById("live").textContent = head
			? "Finding ready: " + word(".cl") + ", " + word(".conf").toLowerCase()
			: word(".msg b") || "The investigation is over";
		if (inside && head) head.focus();
	}

	// All but the status line is exchanged; that line stays, with another text if there is one.
	function update(panel, doc) {
		const status = panel.querySelector("[role=status]"), next = doc.querySelector("[role=status]");
		const focused = panel.contains(document.activeElement) && document.activeElement.textContent;
		if (status && next) {
			if (status.textContent !== next.textContent) status.textContent = next.textContent;
			next.replaceWith(status);
		}
		panel.replaceChildren(...doc.body.childNodes);
		if (focused) [...panel.querySelectorAll("button, a")].find((e) => e.textContent === focused)?.focus();
		tick(panel);
	}

	// Elapsed seconds go on between the answers, silently.
	function tick(panel) {
		clearInterval(ticking);
		const clock = panel.querySelector("[data-elapsed]");
		if (!clock) return;
		const begun = Date.now() - clock.dataset.elapsed * 1000;
		ticking = setInterval(() => {
			const s = Math.floor((Date.now() - begun) / 1000);
			clock.textContent = s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
		}, 1000);
	}

	function poll() {
		const panel = document.getElementById("panel");
		const url = panel && panel.dataset.poll;
		const begun = Date.now();
		let etag = "";
		if (!url) return;
		async function look() {
			if (document.hidden) { document.addEventListener("visibilitychange", look, { once: true }); return; }
			try {
				const answer = await fetch(url, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
				if (answer.status === 200) {
					const doc = await parse(answer);
					const run = doc.querySelector(".run");
					etag = answer.headers.get("ETag") || "";
					if (!run || !run.dataset.open) { await renew(); return; }
					update(panel, doc);
				}
			} catch { /* the next look may be answered */ }
			setTimeout(look, Date.now() - begun > OFTEN_FOR_MS ? SELDOM_MS : OFTEN_MS);
		}
		tick(panel);
		setTimeout(look, OFTEN_MS);
	}

	poll();
})();
