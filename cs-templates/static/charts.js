// One crosshair over the three charts: the pointer moves it, and the arrow keys, sample by sample; the values
// stand in the captions, so that nothing covers the data. What it reads is in the page already: the points are
// those of the drawn lines, the values those of the table of numbers.
"use strict";
(() => {
	const NAMES = ["CPU", "memory", "disk"], UNITS = [" %", " MiB", " GiB"], CELLS = [1, 2, 4];

	function make(name, parent, attributes) {
		const e = document.createElementNS(parent.namespaceURI, name);
		for (const k in attributes) e.setAttribute(k, attributes[k]);
		return parent.appendChild(e);
	}

	// [x in percent, y] of each sample that is drawn.
	const points = (plot) => [...plot.querySelector(".c-line").getAttribute("d").matchAll(/(\d+) (\d+)/g)]
		.map((m) => [m[1] / 100, +m[2]]);

	function arm() {
		const charts = document.querySelector(".charts");
		const plots = charts ? [...charts.querySelectorAll(".c-plot")] : [];
		if (!plots.length || charts.querySelector(".c-walk")) return;
		const series = plots.map(points);
		const shown = series[0].length;
		const rows = [...charts.querySelectorAll("tbody tr")].filter((r) => r.cells.length === 5);
		const first = +charts.dataset.first;
		const readouts = charts.querySelectorAll(".c-readout");
		if (!shown) return;

		const cross = plots.map((plot) => {
			const g = make("g", plot, { class: "c-cross", visibility: "hidden", "pointer-events": "none" });
			return { g, line: make("line", g, { y2: "100%" }), dot: make("circle", g, { r: 4 }) };
		});
		const walk = document.createElement("div");
		walk.className = "c-walk";
		walk.tabIndex = 0;
		const say = (text, now) => {
			walk.setAttribute("aria-valuetext", text);
			walk.setAttribute("aria-valuenow", now);
		};
		for (const [k, v] of Object.entries({ role: "slider", "aria-valuemin": 1, "aria-valuemax": shown,
			"aria-label": "Samples of the charts, one by one", "aria-orientation": "horizontal" })) walk.setAttribute(k, v);
		say("No sample chosen: the arrow keys walk along them", 1);
		charts.append(walk);
		let at = -1;

		function show(i) {
			at = i;
			const row = rows[first + i];
			const texts = CELLS.map((c, k) => row ? row.cells[c].textContent.trim() + UNITS[k] : "");
			const time = row ? row.cells[0].textContent.trim() : "";
			cross.forEach((c, k) => {
				const [x, y] = series[k][i] || series[0][i];
				c.g.setAttribute("visibility", "visible");
				c.line.setAttribute("x1", x + "%");
				c.line.setAttribute("x2", x + "%");
				c.dot.setAttribute("cx", x + "%");
				c.dot.setAttribute("cy", y);
				const b = document.createElement("b");
				b.textContent = texts[k];
				readouts[k].replaceChildren(time + " ", b);
			});
			say(`${time} UTC: ${NAMES.map((n, k) => `${n} ${texts[k]}`).join(", ")}`, i + 1);
		}

		function drop() {
			at = -1;
			for (const c of cross) c.g.setAttribute("visibility", "hidden");
			for (const r of readouts) r.replaceChildren();
			say("No sample chosen", 1);
		}

		// The sample nearest to a place in percent of the width.
		function nearest(x) {
			let low = 0, high = shown - 1;
			while (low < high) {
				const mid = (low + high) >> 1;
				if (series[0][mid][0] < x) low = mid + 1; else high = mid;
			}
			return low && x - series[0][low - 1][0] < series[0][low][0] - x ? low - 1 : low;
		}

		for (const plot of plots) {
			for (const kind of ["pointermove", "pointerdown"]) plot.addEventListener(kind, (ev) => {
				const box = plot.getBoundingClientRect();
				show(nearest((ev.clientX - box.left) * 100 / box.width));
			});
			plot.querySelector(".c-cols").remove(); // their titles would cover the data
		}
		walk.addEventListener("keydown", (ev) => {
			const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -shown, End: shown }[ev.key];
			if (!step || ev.ctrlKey || ev.altKey || ev.metaKey) return;
			ev.preventDefault();
			show(Math.max(0, Math.min(shown - 1, at < 0 && step > 0 && step < shown ? 0 : at + step)));
		});
		document.addEventListener("keydown", (ev) => { if (ev.key === "Escape" && at >= 0) drop(); });
	}

	document.addEventListener("casebook:renewed", arm);
	arm();
})();
