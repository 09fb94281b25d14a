/** One industry of the taxonomy and its other names. */
export interface IndustryEntry {
  readonly name: string
  /** Other words for the whole industry. */
  readonly aliases: ReadonlyArray<string>
  /** Words for part of the industry. We take the whole and report the match as coarser. */
  readonly niches: ReadonlyArray<string>
}

const entry = (name: string, aliases: string, niches = ""): IndustryEntry => ({
  name,
  aliases: aliases === "" ? [] : aliases.split(", "),
  niches: niches === "" ? [] : niches.split(", ")
})

/** The canonical industries: broad, one per company, in the style of a professional network. */
export const INDUSTRY_ENTRIES: ReadonlyArray<IndustryEntry> = [
  entry(
    "Software Development",
    "software, saas, software as a service, computer software, b2b software, b2b saas, enterprise software, software vendors",
    "devtools, developer tools, crm software, hr software, vertical saas, martech, legal tech, legaltech, proptech, edtech software, no code, open source software, artificial intelligence, ai, machine learning, generative ai"
  ),
  entry(
    "IT Services and IT Consulting",
    "it services, it consulting, information technology services, information technology and services, managed it services, system integrators",
    "msp, managed service providers, erp consulting, salesforce consulting, cloud consulting"
  ),
  entry(
    "Technology, Information and Internet",
    "internet, internet companies, online platforms, internet platforms",
    "marketplaces, online marketplaces, search engines, comparison portals"
  ),
  entry(
    "Computer and Network Security",
    "cybersecurity, cyber security, information security, infosec, network security",
    "identity management, penetration testing, threat intelligence"
  ),
  entry(
    "Data Infrastructure and Analytics",
    "data analytics, analytics, big data, business intelligence, data platforms",
    "data warehousing, observability"
  ),
  entry("Computer Hardware Manufacturing", "computer hardware, hardware", "servers, printers, wearables"),
  entry("Semiconductor Manufacturing", "semiconductors, chips, chipmakers", "fabless, photonics"),
  entry("Computer Games", "gaming, video games, game development, game studios", "mobile games, esports"),
  entry(
    "Telecommunications",
    "telecom, telco, wireless services",
    "mobile operators, internet service providers, isp, voip"
  ),
  entry(
    "Financial Services",
    "finance, financial",
    "fintech, payments, lending, buy now pay later, crypto, blockchain, wealthtech, personal finance"
  ),
  entry("Banking", "banks, retail banking, commercial banking", "neobanks, credit unions, private banking"),
  entry("Insurance", "insurers, insurance companies", "insurtech, reinsurance, health insurance, insurance brokers"),
  entry("Investment Management", "asset management, wealth management, fund management", "hedge funds, family offices"),
  entry(
    "Venture Capital and Private Equity",
    "venture capital, private equity, vc, pe funds",
    "growth equity, buyout funds, seed funds"
  ),
  entry("Investment Banking", "mergers and acquisitions advisory, capital markets", "boutique banks"),
  entry(
    "Accounting",
    "accountants, accounting firms, accountancy, bookkeeping",
    "tax advisors, audit, payroll bureaus"
  ),
  entry(
    "Legal Services",
    "legal, law firms, law practice, lawyers, attorneys",
    "patent attorneys, notaries, intellectual property law"
  ),
  entry(
    "Business Consulting and Services",
    "business consulting, management consulting, consulting, consultancies, business services, strategy consulting",
    "change management, procurement consulting, sustainability consulting"
  ),
  entry("Human Resources Services", "human resources, hr, hr services", "employer of record, benefits administration"),
  entry(
    "Staffing and Recruiting",
    "recruiting, recruitment, staffing, staffing agencies, recruitment agencies",
    "executive search, headhunters, temp agencies"
  ),
  entry(
    "Advertising Services",
    "advertising, marketing and advertising, ad agencies, marketing services, digital agencies",
    "adtech, seo agencies, lead generation agencies, performance marketing, creative agencies"
  ),
  entry(
    "Public Relations and Communications",
    "public relations, pr, pr agencies, communications agencies",
    "crisis communications, investor relations agencies"
  ),
  entry("Market Research", "market research firms, research agencies", "consumer panels, survey providers"),
  entry(
    "Design Services",
    "design, design agencies, design studios",
    "industrial design, ux agencies, branding agencies"
  ),
  entry(
    "Events Services",
    "events, event management, event organisers, event organizers",
    "trade shows, wedding planners, conferences"
  ),
  entry(
    "Outsourcing and Offshoring",
    "outsourcing, bpo, business process outsourcing",
    "call centers, call centres, virtual assistants"
  ),
  entry(
    "Security and Investigations",
    "security services, private security, guard services",
    "alarm monitoring, background checks"
  ),
  entry("Facilities Services", "facilities management, facilities", "cleaning, janitorial services, pest control"),
  entry(
    "Hospitals and Health Care",
    "hospitals, health care, healthcare, healthcare providers, health systems",
    "digital health, telehealth, healthtech, home care, elder care"
  ),
  entry("Medical Practices", "doctors, clinics", "dentists, dental practices, dermatologists, physiotherapy"),
  entry(
    "Mental Health Care",
    "mental health, behavioral health, behavioural health",
    "therapy practices, addiction treatment"
  ),
  entry(
    "Medical Equipment Manufacturing",
    "medical devices, medtech, medical equipment",
    "diagnostics devices, hearing aids, surgical robots"
  ),
  entry(
    "Pharmaceutical Manufacturing",
    "pharma, pharmaceuticals, drug makers",
    "generics, vaccines, contract drug manufacturing"
  ),
  entry(
    "Biotechnology Research",
    "biotech, biotechnology, life sciences",
    "gene therapy, synthetic biology, contract research organisations, cro"
  ),
  entry(
    "Wellness and Fitness Services",
    "wellness, fitness, health and wellness",
    "gyms, yoga studios, nutrition coaching"
  ),
  entry("Veterinary Services", "veterinary, vets, animal health services", "pet clinics"),
  entry("Higher Education", "universities, colleges", "business schools"),
  entry("Primary and Secondary Education", "schools, k 12, k12", "private schools, boarding schools, kindergartens"),
  entry(
    "E-Learning Providers",
    "e learning, elearning, online learning, edtech",
    "language learning, coding bootcamps"
  ),
  entry(
    "Professional Training and Coaching",
    "training, coaching, corporate training",
    "sales training, leadership coaching"
  ),
  entry("Research Services", "research, research institutes", "test laboratories, applied research"),
  entry(
    "Construction",
    "building, builders, construction companies, general contractors",
    "contech, roofing, modular construction, electricians, plumbers"
  ),
  entry("Civil Engineering", "infrastructure engineering", "bridge building, tunnelling, surveying"),
  entry(
    "Architecture and Planning",
    "architecture, architects, urban planning",
    "landscape architecture, interior architecture"
  ),
  entry(
    "Building Materials",
    "construction materials, building supplies",
    "cement, insulation, flooring, windows and doors"
  ),
  entry(
    "Real Estate",
    "property, real estate companies, realty",
    "real estate agents, property management, coworking, commercial real estate"
  ),
  entry(
    "Machinery Manufacturing",
    "machinery, machine building, mechanical engineering",
    "machine tools, packaging machinery, pumps"
  ),
  entry(
    "Industrial Machinery Manufacturing",
    "industrial machinery, industrial equipment",
    "compressors, conveyor systems, textile machinery"
  ),
  entry(
    "Automation Machinery Manufacturing",
    "industrial automation, automation, robotics",
    "warehouse robots, machine vision, collaborative robots"
  ),
  entry(
    "Appliances, Electrical, and Electronics Manufacturing",
    "electronics, electrical manufacturing, electrical equipment, consumer electronics",
    "sensors, household appliances, lighting, printed circuit boards"
  ),
  entry(
    "Motor Vehicle Manufacturing",
    "automotive, car makers, carmakers, automobile manufacturers",
    "electric vehicles, ev makers, trucks, motorcycles"
  ),
  entry(
    "Motor Vehicle Parts Manufacturing",
    "automotive suppliers, auto parts, car parts",
    "tires, tyres, batteries for vehicles, brakes"
  ),
  entry(
    "Aviation and Aerospace Component Manufacturing",
    "aerospace, aviation and aerospace",
    "drones, satellites, space technology"
  ),
  entry(
    "Defense and Space Manufacturing",
    "defense, defence, defence contractors, defense contractors",
    "armoured vehicles, naval systems"
  ),
  entry("Shipbuilding", "shipyards, boat builders", "yachts"),
  entry(
    "Chemical Manufacturing",
    "chemicals, chemical companies, chemical industry",
    "specialty chemicals, coatings, adhesives, fertilizers"
  ),
  entry("Plastics Manufacturing", "plastics, polymers", "injection moulding, injection molding, plastic films"),
  entry("Packaging and Containers Manufacturing", "packaging, containers", "corrugated board, bottles, labels"),
  entry("Paper and Forest Products Manufacturing", "paper, pulp and paper, forest products", "tissue, timber"),
  entry("Glass, Ceramics and Concrete Manufacturing", "glass, ceramics, concrete", "tiles, optical glass"),
  entry("Metal Fabrication", "metal works, metalworking, fabricated metals", "sheet metal, laser cutting, welding"),
  entry("Mining", "mining and metals, metals and mining", "lithium mining, quarries, exploration"),
  entry("Primary Metal Manufacturing", "steel, metals, aluminium, aluminum", "foundries"),
  entry("Textile Manufacturing", "textiles, fabrics", "technical textiles, carpets"),
  entry("Apparel Manufacturing", "apparel, clothing manufacturers, garments", "workwear, sportswear, footwear makers"),
  entry(
    "Furniture and Home Furnishings Manufacturing",
    "furniture, home furnishings",
    "office furniture, kitchens, mattresses"
  ),
  entry("Personal Care Product Manufacturing", "cosmetics, personal care, beauty", "skincare, fragrances, hair care"),
  entry("Sporting Goods Manufacturing", "sporting goods, sports equipment", "bicycles, outdoor equipment"),
  entry(
    "Food and Beverage Manufacturing",
    "food production, food and beverages, food producers",
    "foodtech, plant based food, snacks, bakeries, dairy producers"
  ),
  entry("Beverage Manufacturing", "beverages, drinks", "breweries, wineries, soft drinks, distilleries"),
  entry("Farming", "agriculture, farms, agribusiness", "agtech, agritech, vertical farming, livestock, vineyards"),
  entry("Fisheries", "fishing, aquaculture", "salmon farming"),
  entry(
    "Retail",
    "retailers, shops, stores, retail chains",
    "fashion retail, furniture retail, pharmacies, direct to consumer, d2c, dtc"
  ),
  entry(
    "Online and Mail Order Retail",
    "e commerce, ecommerce, online retail, online shops",
    "subscription boxes, dropshipping, marketplace sellers"
  ),
  entry(
    "Food and Beverage Retail",
    "groceries, supermarkets, grocers",
    "convenience stores, organic shops, quick commerce"
  ),
  entry(
    "Retail Apparel and Fashion",
    "fashion, fashion brands, apparel and fashion",
    "streetwear, shoes, jewellery, jewelry"
  ),
  entry("Luxury Goods and Jewelry", "luxury, luxury goods", "watches, haute couture"),
  entry(
    "Wholesale",
    "wholesalers, distributors, wholesale trade",
    "electrical wholesale, food wholesale, spare parts distribution"
  ),
  entry(
    "Import and Export Services",
    "import export, import and export, trading companies, international trade",
    "customs brokers, commodity trading"
  ),
  entry("Restaurants", "restaurant chains, gastronomy", "ghost kitchens, fast food, coffee shops, cafes"),
  entry("Food and Beverage Services", "catering, food services", "canteens, contract catering"),
  entry("Hospitality", "hotels, lodging, hotels and motels", "hostels, resorts, vacation rentals, serviced apartments"),
  entry(
    "Travel Arrangements",
    "travel, tourism, travel agencies, leisure travel",
    "tour operators, business travel, travel tech"
  ),
  entry("Airlines and Aviation", "airlines, aviation", "private jets, airports, air cargo"),
  entry(
    "Transportation, Logistics, Supply Chain and Storage",
    "logistics, supply chain, transportation, logistics and supply chain, transport",
    "freight forwarding, last mile delivery, warehousing, 3pl, cold chain"
  ),
  entry("Truck Transportation", "trucking, haulage, road freight", "tank transport, refrigerated transport"),
  entry("Maritime Transportation", "shipping, maritime, ocean freight", "ports, container lines, ferries"),
  entry("Rail Transportation", "railways, rail, railroads", "light rail, rail freight"),
  entry(
    "Freight and Package Transportation",
    "parcel delivery, couriers, courier services",
    "bike couriers, same day delivery"
  ),
  entry("Utilities", "utility companies, power and water", "water utilities, electricity suppliers, grid operators"),
  entry(
    "Renewable Energy Power Generation",
    "renewable energy, renewables, clean energy, green energy",
    "solar, wind power, geothermal, biogas, hydrogen"
  ),
  entry("Oil and Gas", "oil, gas, oil and energy", "drilling, refineries, lng"),
  entry(
    "Environmental Services",
    "environment, environmental consulting",
    "climate tech, cleantech, carbon accounting, remediation"
  ),
  entry(
    "Waste Management and Recycling",
    "waste management, recycling, waste collection",
    "scrap metal, circular economy, wastewater treatment"
  ),
  entry(
    "Book and Periodical Publishing",
    "publishing, publishers, newspapers, magazines",
    "academic publishing, trade journals"
  ),
  entry(
    "Online Audio and Video Media",
    "online media, digital media, streaming",
    "podcasts, creator economy, video platforms"
  ),
  entry(
    "Broadcast Media Production and Distribution",
    "broadcast media, television, radio",
    "tv production, news channels"
  ),
  entry("Entertainment Providers", "entertainment, amusement", "theme parks, cinemas, escape rooms"),
  entry(
    "Movies, Videos and Sound",
    "film, film production, motion pictures, video production",
    "animation studios, visual effects, post production"
  ),
  entry("Musicians and Music Services", "music, music industry, record labels", "concert promoters, music licensing"),
  entry("Spectator Sports", "sports, sports teams, sports clubs", "football clubs, sports betting, sports leagues"),
  entry("Museums and Cultural Institutions", "museums, arts and culture", "galleries, theatres, libraries"),
  entry(
    "Printing Services",
    "printing, print shops, printers and binders",
    "3d printing services, large format printing"
  ),
  entry(
    "Translation and Localization",
    "translation, localization, localisation, language services",
    "subtitling, interpreting"
  ),
  entry(
    "Non-profit Organizations",
    "non profit, nonprofit, charities, ngo",
    "foundations, humanitarian aid, fundraising platforms"
  ),
  entry(
    "Government Administration",
    "government, public sector, public administration, local government",
    "municipalities, govtech, defence ministries"
  ),
  entry(
    "Civic and Social Organizations",
    "associations, civic organizations, civic organisations, trade associations",
    "chambers of commerce, clubs"
  ),
  entry(
    "Consumer Services",
    "services for consumers, personal services",
    "hairdressers, laundries, repair services, dating"
  ),
  entry(
    "Equipment Rental Services",
    "equipment rental, rental companies, leasing",
    "car rental, crane rental, tool rental"
  ),
  entry("Professional Services", "professional service firms", "appraisers, fractional executives")
]
