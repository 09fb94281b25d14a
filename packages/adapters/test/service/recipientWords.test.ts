import { recipientWordsContract } from "@outbound/testkit/contracts/service/recipientWords.js"
import { service } from "./service.js"

recipientWordsContract("postgres", service)
