package chromium

// Components is a function for [Map]. It returns the innerText of the first link of a document, and
// the components of it that are not displayed in order from left to right.
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
