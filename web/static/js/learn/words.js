// The explained words of a game, as they stand in a text. `Lesson.explained_words` in the engine finds the same.

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
// Codes such as GO stand in capitals; of any other word the first letter may be one.
const either = (form) => form === form.toUpperCase() ? literal(form) : `[${form[0].toLowerCase()}${form[0].toUpperCase()}]${literal(form.slice(1))}`;

/** Return what finds the explained `words`, [{word, forms, text}], in a text: a list of {at, said, word}, in order. */
export function finder(words) {
  const byForm = new Map();
  for (const word of words) for (const form of word.forms) byForm.set(either(form), word);
  const patterns = [...byForm.keys()].sort((one, other) => other.length - one.length);
  const whole = patterns.map((pattern) => [new RegExp(`^${pattern}$`), byForm.get(pattern)]);
  const found = new RegExp(`(^|[^\\w-])(${patterns.join("|")})(?![\\w-])`, "g");
  return (text) => {
    const list = [];
    text.replace(found, (all, before, said, at) => { list.push({ at: at + before.length, said, word: whole.find(([pattern]) => pattern.test(said))[1] }); return all; });
    return list;
  };
}
