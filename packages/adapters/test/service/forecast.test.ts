import { forecastContract } from "@outbound/testkit/contracts/service/forecast.js"
import { service } from "./service.js"

forecastContract("postgres", service)
