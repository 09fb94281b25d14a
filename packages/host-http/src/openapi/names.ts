/** `find_leads` as the name of a component: `FindLeads`. */
export const pascal = (text: string): string =>
  text
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
