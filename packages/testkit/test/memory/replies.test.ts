import { repliesContract } from "../../src/contracts/replies.js"
import { layer } from "../../src/memory/layer.js"

repliesContract("memory", layer)
