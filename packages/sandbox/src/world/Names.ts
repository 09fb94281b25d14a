import type { NamePool } from "./Places.js"

interface Names {
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
}

const names = (first: string, last: string): Names => ({ first: first.split(" "), last: last.split(" ") })

/** Common given and family names by region, none of a particular person. */
export const NAME_POOLS: Readonly<Record<NamePool, Names>> = {
  english: names(
    "Alice Amelia Andrew Anna Benjamin Brian Caroline Charlotte Chloe Christopher Daniel David Edward Eleanor Emily Emma Ethan George Grace Hannah Harriet Henry Isabel Jack Jacob James Jennifer Jessica Jonathan Joshua Karen Katherine Laura Lauren Lucy Marcus Matthew Megan Michael Natalie Nathan Nicholas Olivia Oliver Patrick Peter Rachel Rebecca Robert Ryan Samantha Samuel Sarah Sophie Stephen Thomas Victoria William Zoe",
    "Adams Allen Bailey Baker Barnes Bennett Brooks Brown Butler Campbell Carter Clark Coleman Collins Cooper Cox Davies Davis Edwards Ellis Evans Fisher Foster Graham Gray Green Griffin Hall Harris Hayes Henderson Hill Howard Hughes Jackson Jenkins Johnson Jones Kelly King Lewis Long Marshall Mason Miller Mitchell Moore Morgan Morris Murphy Nelson Parker Perry Phillips Powell Price Reed Reynolds Richardson Roberts Robinson Rogers Russell Scott Shaw Simmons Smith Stewart Sullivan Taylor Thompson Turner Walker Ward Watson White Williams Wilson Wood Wright Young"
  ),
  german: names(
    "Alexander Andreas Anja Anke Annika Bastian Birgit Christian Christina Claudia Daniela Dirk Elena Felix Florian Frank Franziska Friederike Heike Jan Jana Jens Johanna Jonas Jörg Julia Karin Katharina Katrin Klaus Lars Lena Leonie Lukas Maximilian Markus Martina Matthias Moritz Nadine Niklas Nina Paul Petra Philipp Sabine Sebastian Silke Simon Stefan Stefanie Susanne Sven Tanja Thorsten Tobias Ulrike Uwe Vera Wolfgang",
    "Albrecht Arnold Bauer Baumann Beck Becker Berger Böhm Brandt Braun Busch Dietrich Engel Fischer Frank Friedrich Fuchs Graf Groß Günther Haas Hahn Hartmann Heinrich Herrmann Hoffmann Hofmann Horn Huber Jäger Jung Kaiser Keller Klein Koch Köhler König Krämer Kraus Krüger Kühn Lang Lehmann Lorenz Ludwig Maier Mayer Meier Meyer Möller Müller Neumann Otto Peters Pfeiffer Pohl Richter Roth Sauer Schäfer Schmidt Schneider Scholz Schröder Schubert Schulz Schwarz Seidel Simon Sommer Stein Vogel Vogt Wagner Walter Weber Weiß Werner Winkler Wolf Ziegler Zimmermann"
  ),
  french: names(
    "Adrien Alice Amélie Antoine Arnaud Aurélie Baptiste Benoît Camille Cécile Céline Charlotte Claire Clément Damien Élise Émilie Étienne Fabien Florence François Gaëlle Guillaume Hélène Hugo Inès Jérôme Juliette Laurent Léa Louis Lucie Manon Marc Margaux Mathieu Maxime Mélanie Nicolas Nathalie Olivier Pauline Philippe Pierre Quentin Romain Sandrine Sophie Sylvie Théo Thomas Valérie Vincent Virginie Yann",
    "André Arnaud Aubert Barbier Bernard Bertrand Blanc Bonnet Bouvier Boyer Brun Caron Chevalier Clément Colin David Denis Dubois Dufour Dumont Dupont Durand Duval Fabre Faure Fontaine Fournier Gaillard Garnier Gauthier Gérard Giraud Girard Henry Lambert Laurent Leclerc Lefebvre Legrand Lemaire Leroy Lucas Marchand Martin Mathieu Mercier Meunier Meyer Michel Moreau Morel Morin Nicolas Noël Perrin Petit Philippe Picard Renard Renaud Richard Rivière Robert Robin Roche Rousseau Roussel Roux Simon Thomas Vidal Vincent"
  ),
  nordic: names(
    "Aino Aksel Anders Anette Anna Astrid Björn Bo Camilla Cecilia Christoffer Ebba Eero Elin Emil Erik Eva Frida Frederik Gustav Hanna Hannes Heidi Henrik Ida Ingrid Jesper Joakim Johan Johanna Jonas Kaisa Karin Kasper Katja Kirsten Kristian Lars Lauri Linnea Magnus Maja Maria Mats Mette Mikael Mikko Morten Nils Ole Oskar Petter Pia Rasmus Sanna Signe Silje Sofie Søren Tiina Tuomas Ulla Viktor",
    "Aalto Andersen Andersson Axelsson Berg Bergström Björk Christensen Dahl Eklund Ekström Eriksen Eriksson Fredriksen Gustafsson Haugen Hansen Hansson Heikkinen Holm Holmberg Jacobsen Jansson Jensen Johansen Johansson Karlsson Kinnunen Knudsen Korhonen Kristiansen Larsen Larsson Lehtonen Lind Lindberg Lindgren Lindström Lund Lundgren Mäkinen Madsen Mikkelsen Møller Nieminen Nielsen Nilsson Nyberg Olsen Olsson Pedersen Persson Petersen Poulsen Rasmussen Saarinen Salonen Sandberg Sjöberg Solberg Sørensen Ström Sundberg Svensson Thomsen Virtanen Wikström"
  ),
  dutch: names(
    "Anouk Anton Bart Bas Bram Carla Daan Dennis Diederik Elise Els Emma Esther Eva Femke Floor Frank Gijs Hanneke Hans Hugo Ilse Ingrid Jasper Jeroen Joost Joris Karin Kees Koen Lars Lieke Lotte Maarten Margriet Marieke Mark Martijn Menno Mirjam Niels Pieter Remco Robin Roos Ruben Sanne Saskia Sjoerd Sofie Stijn Thijs Tim Tom Wim Wouter",
    "Aerts Bakker Beek Bos Bosman Brouwer Claes Dekker Dijkstra Driessen Evers Goossens Groen Haan Hendriks Hermans Hoekstra Huisman Jacobs Jansen Janssen Kok Koster Kramer Kuipers Lambrecht Maas Martens Meijer Mertens Mulder Nijhuis Peeters Peters Post Postma Prins Schouten Segers Smeets Smit Smits Timmermans Veenstra Verbeek Verhoeven Vermeulen Visser Vos Wagemans Willems Willemsen Wolters"
  ),
  spanish: names(
    "Adriana Alberto Alejandra Alejandro Álvaro Ana Andrea Andrés Antonio Beatriz Carla Carlos Carmen Claudia Cristina Daniel Diego Elena Enrique Esteban Fernanda Fernando Francisco Gabriela Gonzalo Guillermo Héctor Ignacio Inés Isabel Javier Jorge José Juan Julia Laura Lorena Lucía Luis Manuel Marcos María Mariana Marta Mateo Miguel Natalia Nuria Pablo Patricia Pilar Rafael Raquel Ricardo Rocío Santiago Sergio Silvia Sofía Teresa Valeria",
    "Aguilar Alonso Álvarez Blanco Cabrera Calvo Campos Cano Carrasco Castillo Castro Cortés Cruz Delgado Díaz Domínguez Fernández Flores Fuentes Gallego García Garrido Gil Gómez González Guerrero Gutiérrez Hernández Herrera Iglesias Jiménez León López Lozano Marín Martín Martínez Medina Méndez Molina Montero Mora Morales Moreno Muñoz Navarro Núñez Ortega Ortiz Peña Pérez Prieto Ramírez Ramos Reyes Rivera Rodríguez Romero Rubio Ruiz Sánchez Santana Santos Sanz Serrano Soto Suárez Torres Vargas Vázquez Vega Vidal"
  ),
  italian: names(
    "Alessandra Alessandro Alessia Andrea Anna Antonio Beatrice Carlo Chiara Claudia Cristina Daniele Davide Elena Elisa Emanuele Enrico Fabio Federica Federico Filippo Francesca Francesco Gabriele Giacomo Gianluca Giorgia Giovanni Giulia Giuseppe Ilaria Lorenzo Luca Lucia Marco Maria Martina Massimo Matteo Michele Nicola Paola Paolo Pietro Riccardo Roberto Sara Silvia Simone Sofia Stefano Tommaso Valentina Valeria",
    "Amato Barbieri Basile Bellini Benedetti Bianchi Bruno Caputo Carbone Caruso Cattaneo Colombo Conte Conti Costa DeLuca Esposito Fabbri Ferrara Ferrari Ferretti Ferri Fontana Galli Gallo Gatti Gentile Giordano Grassi Greco Guerra Leone Lombardi Longo Marchetti Mariani Marini Marino Martini Mazza Messina Montanari Monti Morelli Moretti Negri Orlando Palumbo Parisi Pellegrini Ricci Rinaldi Riva Rizzi Rizzo Romano Rossetti Rossi Ruggiero Russo Sala Sanna Santoro Serra Silvestri Testa Valentini Villa Vitale"
  ),
  polish: names(
    "Adam Agata Agnieszka Aleksandra Andrzej Anna Barbara Bartosz Dariusz Dominik Dorota Ewa Filip Grzegorz Hanna Izabela Jacek Jakub Jan Joanna Kamil Karolina Katarzyna Krzysztof Łukasz Maciej Magdalena Małgorzata Marcin Maria Mateusz Michał Monika Natalia Patrycja Paweł Piotr Rafał Robert Sylwia Szymon Tomasz Weronika Wojciech Zofia",
    "Adamczyk Bąk Baran Borkowski Chmielewski Czarnecki Czerwiński Dąbrowski Duda Dudek Głowacki Górski Grabowski Jabłoński Jankowski Jaworski Kaczmarek Kalinowski Kamiński Kaźmierczak Kowalczyk Kowalski Kozłowski Król Krupa Kubiak Lewandowski Lis Maciejewski Majewski Malinowski Mazur Michalski Nowak Nowicki Olszewski Ostrowski Pawlak Pawłowski Pietrzak Przybylski Rutkowski Sikora Sikorski Sobczak Stępień Szczepański Szewczyk Szymański Urban Walczak Wieczorek Wilk Wiśniewski Witkowski Wojciechowski Wójcik Woźniak Wróbel Wysocki Zając Zawadzki Zieliński"
  ),
  indian: names(
    "Aarav Aditi Aditya Akash Amit Ananya Anil Anita Anjali Ankit Arjun Asha Deepa Deepak Divya Gaurav Geeta Harish Isha Karan Kavita Kiran Lakshmi Manish Meera Mohan Naveen Neha Nikhil Nisha Pooja Pranav Priya Rahul Rajesh Rakesh Ravi Rekha Rohan Rohit Sandeep Sanjay Shreya Sneha Suresh Swati Tanvi Varun Vidya Vijay Vikram Vivek",
    "Agarwal Bansal Bhat Bhatt Chandra Chauhan Chopra Das Desai Deshpande Dutta Gandhi Ghosh Gupta Iyengar Iyer Jain Joshi Kapoor Kaur Khanna Krishnan Kulkarni Kumar Malhotra Mehta Menon Mishra Mukherjee Nair Narayan Pandey Patel Patil Pillai Prasad Rao Reddy Roy Saxena Sen Shah Sharma Shetty Singh Sinha Srinivasan Subramanian Thakur Tiwari Trivedi Varma Verma Yadav"
  ),
  japanese: names(
    "Akari Akira Aya Ayumi Chihiro Daichi Daisuke Emi Fumiko Haruka Haruto Hiroshi Hitomi Kaori Kazuki Keiko Kenji Kenta Makoto Mariko Masato Mei Miho Mika Naoki Naomi Nozomi Reiko Ren Ryo Sakura Satoshi Shin Shota Sora Takashi Takumi Tomoko Tsubasa Yoko Yuki Yuko Yuta",
    "Abe Aoki Endo Fujii Fujita Fukuda Goto Hara Harada Hasegawa Hashimoto Hayashi Ikeda Inoue Ishii Ishikawa Ito Kato Kimura Kobayashi Kondo Maeda Matsuda Matsumoto Miura Miyazaki Mori Murakami Nakajima Nakamura Nakano Nishimura Ogawa Okada Ono Ota Saito Sakai Sakamoto Sasaki Sato Shimizu Suzuki Takagi Takahashi Tamura Tanaka Ueda Wada Watanabe Yamada Yamaguchi Yamamoto Yamazaki Yokoyama Yoshida"
  ),
  korean: names(
    "Byungho Chaewon Daehyun Dongwoo Eunji Eunseo Haeun Hana Hyejin Hyunwoo Inho Jaemin Jaewon Jihoon Jihye Jimin Jinwoo Jisoo Jiwon Joonho Junseo Kyungmin Mijin Minho Minji Minjun Minseo Sangwoo Seojun Seoyeon Seunghyun Sohee Soojin Sungmin Taehyun Woojin Yejin Yoonseo Youngho Yuna",
    "Ahn Bae Baek Cha Cho Choi Chung Ha Han Heo Hong Hwang Im Jang Jeon Jeong Jin Jo Ju Kang Kim Ko Kwon Lee Lim Min Moon Nam Noh Oh Park Ryu Seo Shin Sim Son Song Sung Woo Yang Yoo Yoon"
  ),
  chinese: names(
    "Aiden Amanda Boon Cheng Chloe Cynthia Daryl Desmond Eugene Fang Fiona Gerald Grace Hao Hui Huiling Ivan Jasmine Jia Jiahui Joanne Jun Junwei Kai Kelvin Li Ling Mei Meiling Ming Nicole Pei Qi Rachel Shan Shu Si Wei Weiling Wen Xin Xinyi Yan Yang Yi Yiling Ying Yong Yu Zhen Zhiwei",
    "Ang Chan Chang Cheong Chew Chia Chin Chong Chow Chua Foo Goh Heng Ho Hong Koh Kwok Lai Lam Lau Lee Leong Liang Lim Lin Liu Loh Low Neo Ng Ong Pang Phua Poh Quek Seah Sim Soh Tan Tang Tay Teo Toh Wang Wee Wong Wu Yap Yeo Zhang"
  ),
  arabic: names(
    "Abdullah Adel Ahmed Aisha Ali Amal Amina Amira Dalia Dina Faisal Farah Fatima Hadi Hala Hamad Hana Hassan Huda Ibrahim Karim Khalid Laila Leila Lina Mahmoud Majid Mariam Maya Mohammed Mona Mustafa Nada Nadia Noor Omar Rania Rashid Reem Saeed Salma Sami Samira Sara Tariq Yasmin Youssef Zain",
    "AbuZaid Aziz Darwish Fadel Farouk Farsi Ghanem Habib Haddad Hakim Hamdan Hariri Hassan Hussein Ibrahim Jaber Kanaan Karam Kassem Khalil Khoury Mahmoud Maktari Mansour Marzouq Masri Mubarak Mustafa Nader Najjar Nasser Omar Qasim Rahman Rashidi Saad Sabbagh Salem Salman Shamsi Sharif Suleiman Taher Yousef Zaki"
  ),
  hebrew: names(
    "Adi Alon Amir Amit Assaf Avi Ayelet Boaz Dana Daniel Eitan Elad Eyal Gal Galit Gil Guy Hadas Hila Ido Inbal Itai Keren Lior Liron Maayan Maya Michal Moran Nadav Neta Nir Noa Noam Ofer Omer Oren Orly Rotem Roni Shai Shira Tal Tamar Tomer Yael Yaniv Yonatan Yossi Yuval",
    "Abramov Adler Agmon Alon Amir Azulay Barak BenDavid Biton Bloom Carmel Cohen Dagan Dayan Elbaz Eliyahu Erez Friedman Gabay Golan Goldberg Grinberg Hadad Harel Katz Lavi Levi Levy Malka Mizrahi Mor Nachum Ohana Oren Paz Peled Peretz Rosen Rosenberg Sagi Segal Shaked Shalev Shamir Shapira Sharon Sharabi Shavit Stern Tal Vaknin Weiss Yosef Zohar"
  ),
  portuguese: names(
    "Adriana Afonso Alice Amanda Ana André Beatriz Bernardo Bianca Bruna Bruno Caio Camila Carla Carolina Catarina Daniela Diogo Duarte Eduardo Fábio Felipe Fernanda Filipa Francisco Gabriel Gabriela Gonçalo Guilherme Gustavo Helena Henrique Inês Isabela João Joana Juliana Larissa Leonardo Letícia Luana Lucas Luísa Marcelo Mariana Matheus Miguel Nuno Patrícia Paulo Pedro Rafael Rafaela Renata Ricardo Rita Rodrigo Rui Sofia Thiago Tiago Vanessa Vitória",
    "Almeida Alves Andrade Antunes Araújo Azevedo Barbosa Barros Batista Borges Cardoso Carvalho Castro Coelho Correia Costa Cunha Dias Duarte Esteves Faria Fernandes Ferreira Figueiredo Fonseca Freitas Gomes Gonçalves Lima Lopes Machado Magalhães Marques Martins Matos Melo Mendes Monteiro Moraes Moreira Morais Mota Moura Nascimento Neves Nogueira Nunes Oliveira Pereira Pinheiro Pinto Pires Ramos Rezende Ribeiro Rocha Rodrigues Sales Santos Silva Simões Soares Sousa Souza Tavares Teixeira Vaz Vieira"
  )
}
