/** A verb's name as a component's: `find_leads` becomes `FindLeads`. */
export const pascal = (text: string): string =>
  text
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
