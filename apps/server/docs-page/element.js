/**
 * Makes elements. Text is always text: what a document says never becomes markup.
 * @module
 */

/**
 * Makes an element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {readonly (Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Makes a paragraph in which what stands between backticks is code.
 * @param {string} text
 * @param {string} className
 */
export function paragraph(text, className = "") {
  const parts = text.split("`").map((part, index) => (index % 2 === 1 ? element("code", {}, [part]) : part));
  return element("p", className === "" ? {} : { class: className }, parts);
}
