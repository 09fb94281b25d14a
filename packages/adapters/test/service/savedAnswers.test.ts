import { savedAnswersContract } from "@outbound/testkit/contracts/service/savedAnswers.js"
import { service } from "./service.js"

savedAnswersContract("postgres", service)
