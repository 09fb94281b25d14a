/** One industry of the taxonomy and its other names. */
export interface IndustryEntry {
  readonly name: string
  /** Other words for the whole industry. */
  readonly aliases: ReadonlyArray<string>
  /** Words for part of the industry. We take the whole and report the match as coarser. */
  readonly niches: ReadonlyArray<string>
}

/**
 * The canonical industries: broad, one per company, in the style of a professional network. Each with its aliases and,
 * after a semicolon, its niches.
 */
const INDUSTRIES = `
Software Development: software, saas, software as a service, computer software, b2b software, b2b saas, enterprise
  software, software vendors; devtools, developer tools, crm software, hr software, vertical saas, martech, legal
  tech, legaltech, proptech, edtech software, no code, open source software, artificial intelligence, ai, machine
  learning, generative ai
IT Services and IT Consulting: it services, it consulting, information technology services, information technology and
  services, managed it services, system integrators; msp, managed service providers, erp consulting, salesforce
  consulting, cloud consulting
Technology, Information and Internet: internet, internet companies, online platforms, internet platforms;
  marketplaces, online marketplaces, search engines, comparison portals
Computer and Network Security: cybersecurity, cyber security, information security, infosec, network security;
  identity management, penetration testing, threat intelligence
Data Infrastructure and Analytics: data analytics, analytics, big data, business intelligence, data platforms; data
  warehousing, observability
Computer Hardware Manufacturing: computer hardware, hardware; servers, printers, wearables
Semiconductor Manufacturing: semiconductors, chips, chipmakers; fabless, photonics
Computer Games: gaming, video games, game development, game studios; mobile games, esports
Telecommunications: telecom, telco, wireless services; mobile operators, internet service providers, isp, voip
Financial Services: finance, financial; fintech, payments, lending, buy now pay later, crypto, blockchain, wealthtech,
  personal finance
Banking: banks, retail banking, commercial banking; neobanks, credit unions, private banking
Insurance: insurers, insurance companies; insurtech, reinsurance, health insurance, insurance brokers
Investment Management: asset management, wealth management, fund management; hedge funds, family offices
Venture Capital and Private Equity: venture capital, private equity, vc, pe funds; growth equity, buyout funds, seed
  funds
Investment Banking: mergers and acquisitions advisory, capital markets; boutique banks
Accounting: accountants, accounting firms, accountancy, bookkeeping; tax advisors, audit, payroll bureaus
Legal Services: legal, law firms, law practice, lawyers, attorneys; patent attorneys, notaries, intellectual property
  law
Business Consulting and Services: business consulting, management consulting, consulting, consultancies, business
  services, strategy consulting; change management, procurement consulting, sustainability consulting
Human Resources Services: human resources, hr, hr services; employer of record, benefits administration
Staffing and Recruiting: recruiting, recruitment, staffing, staffing agencies, recruitment agencies; executive search,
  headhunters, temp agencies
Advertising Services: advertising, marketing and advertising, ad agencies, marketing services, digital agencies;
  adtech, seo agencies, lead generation agencies, performance marketing, creative agencies
Public Relations and Communications: public relations, pr, pr agencies, communications agencies; crisis
  communications, investor relations agencies
Market Research: market research firms, research agencies; consumer panels, survey providers
Design Services: design, design agencies, design studios; industrial design, ux agencies, branding agencies
Events Services: events, event management, event organisers, event organizers; trade shows, wedding planners,
  conferences
Outsourcing and Offshoring: outsourcing, bpo, business process outsourcing; call centers, call centres, virtual
  assistants
Security and Investigations: security services, private security, guard services; alarm monitoring, background checks
Facilities Services: facilities management, facilities; cleaning, janitorial services, pest control
Hospitals and Health Care: hospitals, health care, healthcare, healthcare providers, health systems; digital health,
  telehealth, healthtech, home care, elder care
Medical Practices: doctors, clinics; dentists, dental practices, dermatologists, physiotherapy
Mental Health Care: mental health, behavioral health, behavioural health; therapy practices, addiction treatment
Medical Equipment Manufacturing: medical devices, medtech, medical equipment; diagnostics devices, hearing aids,
  surgical robots
Pharmaceutical Manufacturing: pharma, pharmaceuticals, drug makers; generics, vaccines, contract drug manufacturing
Biotechnology Research: biotech, biotechnology, life sciences; gene therapy, synthetic biology, contract research
  organisations, cro
Wellness and Fitness Services: wellness, fitness, health and wellness; gyms, yoga studios, nutrition coaching
Veterinary Services: veterinary, vets, animal health services; pet clinics
Higher Education: universities, colleges; business schools
Primary and Secondary Education: schools, k 12, k12; private schools, boarding schools, kindergartens
E-Learning Providers: e learning, elearning, online learning, edtech; language learning, coding bootcamps
Professional Training and Coaching: training, coaching, corporate training; sales training, leadership coaching
Research Services: research, research institutes; test laboratories, applied research
Construction: building, builders, construction companies, general contractors; contech, roofing, modular construction,
  electricians, plumbers
Civil Engineering: infrastructure engineering; bridge building, tunnelling, surveying
Architecture and Planning: architecture, architects, urban planning; landscape architecture, interior architecture
Building Materials: construction materials, building supplies; cement, insulation, flooring, windows and doors
Real Estate: property, real estate companies, realty; real estate agents, property management, coworking, commercial
  real estate
Machinery Manufacturing: machinery, machine building, mechanical engineering; machine tools, packaging machinery,
  pumps
Industrial Machinery Manufacturing: industrial machinery, industrial equipment; compressors, conveyor systems, textile
  machinery
Automation Machinery Manufacturing: industrial automation, automation, robotics; warehouse robots, machine vision,
  collaborative robots
Appliances, Electrical, and Electronics Manufacturing: electronics, electrical manufacturing, electrical equipment,
  consumer electronics; sensors, household appliances, lighting, printed circuit boards
Motor Vehicle Manufacturing: automotive, car makers, carmakers, automobile manufacturers; electric vehicles, ev
  makers, trucks, motorcycles
Motor Vehicle Parts Manufacturing: automotive suppliers, auto parts, car parts; tires, tyres, batteries for vehicles,
  brakes
Aviation and Aerospace Component Manufacturing: aerospace, aviation and aerospace; drones, satellites, space
  technology
Defense and Space Manufacturing: defense, defence, defence contractors, defense contractors; armoured vehicles, naval
  systems
Shipbuilding: shipyards, boat builders; yachts
Chemical Manufacturing: chemicals, chemical companies, chemical industry; specialty chemicals, coatings, adhesives,
  fertilizers
Plastics Manufacturing: plastics, polymers; injection moulding, injection molding, plastic films
Packaging and Containers Manufacturing: packaging, containers; corrugated board, bottles, labels
Paper and Forest Products Manufacturing: paper, pulp and paper, forest products; tissue, timber
Glass, Ceramics and Concrete Manufacturing: glass, ceramics, concrete; tiles, optical glass
Metal Fabrication: metal works, metalworking, fabricated metals; sheet metal, laser cutting, welding
Mining: mining and metals, metals and mining; lithium mining, quarries, exploration
Primary Metal Manufacturing: steel, metals, aluminium, aluminum; foundries
Textile Manufacturing: textiles, fabrics; technical textiles, carpets
Apparel Manufacturing: apparel, clothing manufacturers, garments; workwear, sportswear, footwear makers
Furniture and Home Furnishings Manufacturing: furniture, home furnishings; office furniture, kitchens, mattresses
Personal Care Product Manufacturing: cosmetics, personal care, beauty; skincare, fragrances, hair care
Sporting Goods Manufacturing: sporting goods, sports equipment; bicycles, outdoor equipment
Food and Beverage Manufacturing: food production, food and beverages, food producers; foodtech, plant based food,
  snacks, bakeries, dairy producers
Beverage Manufacturing: beverages, drinks; breweries, wineries, soft drinks, distilleries
Farming: agriculture, farms, agribusiness; agtech, agritech, vertical farming, livestock, vineyards
Fisheries: fishing, aquaculture; salmon farming
Retail: retailers, shops, stores, retail chains; fashion retail, furniture retail, pharmacies, direct to consumer,
  d2c, dtc
Online and Mail Order Retail: e commerce, ecommerce, online retail, online shops; subscription boxes, dropshipping,
  marketplace sellers
Food and Beverage Retail: groceries, supermarkets, grocers; convenience stores, organic shops, quick commerce
Retail Apparel and Fashion: fashion, fashion brands, apparel and fashion; streetwear, shoes, jewellery, jewelry
Luxury Goods and Jewelry: luxury, luxury goods; watches, haute couture
Wholesale: wholesalers, distributors, wholesale trade; electrical wholesale, food wholesale, spare parts distribution
Import and Export Services: import export, import and export, trading companies, international trade; customs brokers,
  commodity trading
Restaurants: restaurant chains, gastronomy; ghost kitchens, fast food, coffee shops, cafes
Food and Beverage Services: catering, food services; canteens, contract catering
Hospitality: hotels, lodging, hotels and motels; hostels, resorts, vacation rentals, serviced apartments
Travel Arrangements: travel, tourism, travel agencies, leisure travel; tour operators, business travel, travel tech
Airlines and Aviation: airlines, aviation; private jets, airports, air cargo
Transportation, Logistics, Supply Chain and Storage: logistics, supply chain, transportation, logistics and supply
  chain, transport; freight forwarding, last mile delivery, warehousing, 3pl, cold chain
Truck Transportation: trucking, haulage, road freight; tank transport, refrigerated transport
Maritime Transportation: shipping, maritime, ocean freight; ports, container lines, ferries
Rail Transportation: railways, rail, railroads; light rail, rail freight
Freight and Package Transportation: parcel delivery, couriers, courier services; bike couriers, same day delivery
Utilities: utility companies, power and water; water utilities, electricity suppliers, grid operators
Renewable Energy Power Generation: renewable energy, renewables, clean energy, green energy; solar, wind power,
  geothermal, biogas, hydrogen
Oil and Gas: oil, gas, oil and energy; drilling, refineries, lng
Environmental Services: environment, environmental consulting; climate tech, cleantech, carbon accounting, remediation
Waste Management and Recycling: waste management, recycling, waste collection; scrap metal, circular economy,
  wastewater treatment
Book and Periodical Publishing: publishing, publishers, newspapers, magazines; academic publishing, trade journals
Online Audio and Video Media: online media, digital media, streaming; podcasts, creator economy, video platforms
Broadcast Media Production and Distribution: broadcast media, television, radio; tv production, news channels
Entertainment Providers: entertainment, amusement; theme parks, cinemas, escape rooms
Movies, Videos and Sound: film, film production, motion pictures, video production; animation studios, visual effects,
  post production
Musicians and Music Services: music, music industry, record labels; concert promoters, music licensing
Spectator Sports: sports, sports teams, sports clubs; football clubs, sports betting, sports leagues
Museums and Cultural Institutions: museums, arts and culture; galleries, theatres, libraries
Printing Services: printing, print shops, printers and binders; 3d printing services, large format printing
Translation and Localization: translation, localization, localisation, language services; subtitling, interpreting
Non-profit Organizations: non profit, nonprofit, charities, ngo; foundations, humanitarian aid, fundraising platforms
Government Administration: government, public sector, public administration, local government; municipalities,
  govtech, defence ministries
Civic and Social Organizations: associations, civic organizations, civic organisations, trade associations; chambers
  of commerce, clubs
Consumer Services: services for consumers, personal services; hairdressers, laundries, repair services, dating
Equipment Rental Services: equipment rental, rental companies, leasing; car rental, crane rental, tool rental
Professional Services: professional service firms; appraisers, fractional executives`

const split = (list: string): ReadonlyArray<string> => (list === "" ? [] : list.split(", "))

/** An indented line goes on with the industry before it. */
export const INDUSTRY_ENTRIES: ReadonlyArray<IndustryEntry> = INDUSTRIES.trim()
  .replaceAll(/\n +/g, " ")
  .split("\n")
  .map((row) => {
    const [name = "", words = ""] = row.split(": ")
    const [aliases = "", niches = ""] = words.split(";")
    return { name, aliases: split(aliases), niches: split(niches.trim()) }
  })
