const within = (area: string, places: string): ReadonlyArray<string> =>
  places.split(" ").map((place) => `${area}/${place}`)

/** Every zone that its schedules may be in. */
export const TIMEZONES: ReadonlyArray<string> = [
  ...within("Etc", "GMT+12 GMT+11 GMT+10 GMT-12 GMT-13"),
  ...within(
    "America",
    "Anchorage Dawson Creston Chihuahua Boise Belize Chicago Bahia_Banderas Regina Bogota Detroit Indiana/Marengo Caracas Asuncion Glace_Bay Campo_Grande Anguilla Santiago St_Johns Sao_Paulo Argentina/La_Rioja Araguaina Godthab Montevideo Bahia Noronha Scoresbysund Danmarkshavn"
  ),
  ...within("Atlantic", "Cape_Verde Canary"),
  ...within("Africa", "Casablanca Abidjan Ceuta Algiers Windhoek Cairo Blantyre Tripoli Addis_Ababa"),
  ...within("Europe", "Isle_of_Man Belgrade Sarajevo Bucharest Helsinki Istanbul Kaliningrad Kirov Astrakhan"),
  ...within("Arctic", "Longyearbyen"),
  ...within(
    "Asia",
    "Nicosia Beirut Damascus Jerusalem Amman Baghdad Aden Tehran Dubai Baku Tbilisi Yerevan Kabul Yekaterinburg Karachi Kolkata Colombo Kathmandu Dhaka Rangoon Novokuznetsk Hong_Kong Krasnoyarsk Brunei Taipei Choibalsan Irkutsk Dili Pyongyang Chita Sakhalin Anadyr Kamchatka"
  ),
  ...within("Indian", "Mahe"),
  ...within("Antarctica", "Mawson Vostok Davis DumontDUrville Macquarie"),
  ...within("Australia", "Perth Adelaide Darwin Brisbane Melbourne Currie"),
  ...within("Pacific", "Auckland Fiji Apia")
]
