import { killRacesContract } from "@outbound/testkit/contracts/service/killRaces.js"
import { service } from "./service.js"

killRacesContract("postgres", service)
