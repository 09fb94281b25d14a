export { archive } from "@outbound/adapters/wings/archive/Archive.js"
