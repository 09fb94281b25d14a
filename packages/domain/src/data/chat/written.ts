import type { Json, JsonObject } from "../../kernel/canonical.js"
import { isObject, listOf, textOf } from "./json.js"

/** How deep parts of a text may lie in each other: thinking is a part that holds parts. */
const PARTS_DEEP = 3

/** The text of a content, which is a text, a part or a list of parts. Pictures, sound and files hold none. */
const textWithin = (content: Json | undefined, deep = PARTS_DEEP): string => {
  if (typeof content === "string") return content
  if (deep === 0) return ""
  let text = ""
  for (const part of isObject(content) ? [content] : listOf(content)) {
    if (typeof part === "string") text += part
    else if (isObject(part)) {
      text +=
        textOf(part["text"]) +
        textOf(part["content"]) +
        textOf(part["refusal"]) +
        textOf(part["summary"]) +
        textWithin(part["thinking"], deep - 1)
    }
  }
  return text
}

const longest = (one: string, other: string): string => (other.length > one.length ? other : one)

/** Most deltas hold only these, and none of them is a thought. */
const PLAIN: ReadonlySet<string> = new Set(["role", "content", "refusal", "tool_calls", "function_call", "audio"])

/** What upstreams call what a model thought. Those that send it under several names send the same text under each. */
const THOUGHT = /reason|think|thought/i

const thoughtIn = (part: JsonObject): string => {
  let thought = ""
  for (const name in part) {
    if (!PLAIN.has(name) && THOUGHT.test(name)) thought = longest(thought, textWithin(part[name]))
  }
  return thought
}

/** What a model hands to a tool: text, or from some upstreams the object itself. */
const handed = (value: Json | undefined): string => (isObject(value) ? JSON.stringify(value) : textOf(value))

const calledIn = (call: Json | undefined): string =>
  isObject(call) ? textOf(call["name"]) + handed(call["arguments"]) + handed(call["input"]) : ""

const toolsIn = (calls: Json | undefined): string => {
  let written = ""
  for (const call of isObject(calls) ? [calls] : listOf(calls)) {
    if (!isObject(call)) continue
    const within = calledIn(call["function"]) + calledIn(call["custom"])
    // Some leave out the member that names its kind.
    written += within === "" ? calledIn(call) : within
  }
  return written
}

const transcriptIn = (audio: Json | undefined): string => (isObject(audio) ? textOf(audio["transcript"]) : "")

// Every chunk of every stream comes through here, and most hold nothing but a text.
const writtenIn = (part: JsonObject): string =>
  textWithin(part["content"]) +
  thoughtIn(part) +
  textOf(part["refusal"]) +
  transcriptIn(part["audio"]) +
  calledIn(part["function_call"]) +
  toolsIn(part["tool_calls"])

/** All that the model wrote in a choice of a completion, or newly in one of a chunk: some repeat the whole beside it. */
export const writtenInChoice = ({ delta, message, text }: JsonObject, isChunk: boolean): string => {
  const part = isChunk ? (delta ?? message) : (message ?? delta)
  return isObject(part) ? writtenIn(part) : textOf(text)
}
