package chromium

// Components is a function for [Map] that returns the innerText of the first link of a
// document, and which of its components are not in order from left to right. The order is
// that of the places of the components on the line.
const Components = `b => {
	document.body.innerHTML = b;
	document.body.style.whiteSpace = "nowrap";
	const link = document.querySelector("a");
	const chars = [];
	const nodes = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
	for (let n; n = nodes.nextNode();)
		for (let i = 0; i < n.length; i++) chars.push([n, i]);
	let right = -1e9, order = "";
	for (const component of link.textContent.matchAll(/[^\/?#&=.:@]+/g)) {
		const range = document.createRange(), end = component.index + component[0].length - 1;
		range.setStart(...chars[component.index]);
		range.setEnd(chars[end][0], chars[end][1] + 1);
		const at = range.getBoundingClientRect();
		if (at.left < right - 1) order += " out of order: " + component[0];
		right = at.right;
	}
	return link.innerText + order;
}`
