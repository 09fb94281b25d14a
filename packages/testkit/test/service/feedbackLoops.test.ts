import { feedbackLoopContract } from "../../src/contracts/service/feedbackLoops.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { quietMemory } from "../../src/service/Service.js"

feedbackLoopContract("memory", quietMemory, PostOffice.layer)
