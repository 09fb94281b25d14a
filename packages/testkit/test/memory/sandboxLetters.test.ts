import { sandboxLettersContract } from "../../src/contracts/sandboxLetters.js"
import * as MemorySandboxLetters from "../../src/memory/MemorySandboxLetters.js"

sandboxLettersContract("memory", MemorySandboxLetters.layer)
