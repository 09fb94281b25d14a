import { stopRefusingContract } from "@outbound/testkit/contracts/service/stopRefusing.js"
import { service } from "./service.js"

stopRefusingContract("postgres", service)
