"""The registry of datasets: name, path, source, licence and reader of each."""

from __future__ import annotations

from andornot.datasets.dataset import Dataset, Download


def _on_github(repository: str, commit: str, path: str, size: int, sha256: str) -> Download:
    """Return the download of a file of a repository at a fixed commit."""
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"
    return Download(url, size, f"sha256:{sha256}")


def _rated_pairs(name: str, file: str, home: str, size: int, sha256: str) -> Dataset:
    """Return a dataset of rated word pairs, in the format of Word2Box."""
    return Dataset(
        name,
        f"word-similarity/{file}",
        home,
        "not stated",
        "andornot.datasets.similarity.read_word_pairs",
        _on_github(
            "iesl/word2box",
            "067fe9b428ac40d15d22cba0829aa7fa9017f47d",
            f"data/similarity_datasets/{file}",
            size,
            sha256,
        ),
    )


def _antonyms(part: str, size: int, sha256: str) -> Dataset:
    """Return a dataset of adjectives of AntSynNET."""
    return Dataset(
        f"AntSynNET adjectives, {part}",
        f"antonyms/adjective-pairs.{part}",
        "https://github.com/nguyenkh/AntSynNET",
        "not stated",
        "andornot.datasets.relations.read_oppositions",
        _on_github(
            "nguyenkh/AntSynNET",
            "5aa75747fd503c8db04e8a8b2706f68d83bd7ae6",
            f"dataset/adjective-pairs.{part}",
            size,
            sha256,
        ),
    )


def _sts(year: int, folder: str, inside: str, content: str) -> Dataset:
    """Return the English test sets of one year of SemEval's Semantic Textual Similarity."""
    return Dataset(
        f"STS {year}",
        f"sts/STS{year - 2000}-en-test",
        "https://ixa2.si.ehu.eus/stswiki/index.php/Main_Page",
        "that of its sources, named in its readme",
        "andornot.datasets.sentence_pairs.read_sts",
        Download(
            f"https://ixa2.si.ehu.eus/stswiki/images/{folder}/STS{year}-en-test.zip",
            inside=inside,
            content=content,
            covered="STS*.txt",
        ),
        holds="STS*.gs.*.txt",
    )


def _definitions(what: str, file: str) -> Dataset:
    """Return a dataset of words with definitions, from MultiRD."""
    return Dataset(
        f"MultiRD {what}",
        f"reverse-dictionary/{file}",
        "https://github.com/thunlp/MultiRD",
        "for research, with citation",
        "andornot.datasets.definitions.read_definitions",
        note=f"{file} of the English data that the repository links to",
    )


DATASETS = {
    "wordsim-353": _rated_pairs(
        "WordSim-353",
        "EN-WS-353-ALL.txt",
        "http://alfonseca.org/eng/research/wordsim353.html",
        7_032,
        "477217421509bcc6d064b03897f4556eec9d0ba0d6ed37920a0bbb5477ef9e85",
    ),
    "simlex-999": _rated_pairs(
        "SimLex-999",
        "EN-SIMLEX-999.txt",
        "https://fh295.github.io/simlex.html",
        18_024,
        "b3ca8a17171ee07c746624d1f43adc613e8748d8586d5c3a9b84d795b426a826",
    ),
    "mturk-771": _rated_pairs(
        "MTurk-771",
        "EN-MTurk-771.txt",
        "http://www2.mta.ac.il/~gideon/mturk771.html",
        18_811,
        "46b30d3c4f69b68b2b9bb2edd208a272af2939ce8cb75f3a52480c32c66626ac",
    ),
    "google-analogies": Dataset(
        "Google analogies",
        "analogy/questions-words.txt",
        "https://github.com/tmikolov/word2vec",
        "Apache 2.0",
        "andornot.datasets.analogy.read_questions",
        _on_github(
            "tmikolov/word2vec",
            "20c129af10659f7c50e86e3be406df663beff438",
            "questions-words.txt",
            603_955,
            "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36",
        ),
    ),
    "bats": Dataset(
        "BATS 3.0",
        "bats",
        "https://vecto.space/projects/BATS/",
        "CC BY 4.0",
        "andornot.datasets.relations.read_relation",
        Download(
            "https://s3.amazonaws.com/blackbirdprojects/tut_vsm/BATS_3.0.zip",
            checksum="sha1:bf94d47884be9ea83af369beeea7499ed25dcf0d",
            inside="BATS_3.0",
            content="62f00c1cfdcd931df68bc4a7a87dc29d1a3d455274b9f8b1f8b9ffb1dae71d11",
            covered="*/*.txt",
        ),
        holds="*/E01*.txt",
    ),
    "antonyms-train": _antonyms(
        "train", 103_523, "e13a19c1cc35ab27635eda51d3cbaf2cd6788bb80e7accd9d2333bb2dd09f2ac"
    ),
    "antonyms-val": _antonyms(
        "val", 7_400, "315e5206144ec566239ab75b803755f0df9c10ad8faef3b2bffb344f60ecd3fc"
    ),
    "wordnet-3.0": Dataset(
        "WordNet 3.0",
        "wordnet-3.0",
        "https://wordnet.princeton.edu",
        "WordNet licence",
        "andornot.datasets.wordnet.wordnet",
        Download(
            "https://wordnetcode.princeton.edu/3.0/WNdb-3.0.tar.gz",
            10_518_425,
            "sha256:658b1ba191f5f98c2e9bae3e25c186013158f30ef779f191d2a44e5d25046dc8",
            inside="dict",
        ),
        holds="data.noun",
    ),
    "sts12": _sts(
        2012,
        "4/40",
        "test-gold",
        "1633e97f43e949a6bedd906b527afccdd0800e7bb140a03cb22551c3fc682f7c",
    ),
    "sts13": _sts(
        2013, "2/2f", "test-gs", "8db8d02e4b0ad9f6f05ab37e0535b4d0bacf00632236375cf13bbeb65445033a"
    ),
    "sts14": _sts(
        2014,
        "8/8c",
        "sts-en-test-gs-2014",
        "05f4eaf19ca9c3ea4bb4575b406cb695b20114b9f1926464ee522faa369d0692",
    ),
    "sts15": _sts(
        2015,
        "d/da",
        "test_evaluation_task2a",
        "aeb175e95c3342dfbdecccc5c82a6f8456fbe7a40613ed0460a9ca33e1ac9205",
    ),
    "sts16": _sts(
        2016,
        "9/98",
        "sts2016-english-with-gs-v1.0",
        "d2c0c9aed30aa755770a7c77e25ded2f64f91f3604b805c9dd799f2d634fbbb4",
    ),
    "farahmand-2015": Dataset(
        "Farahmand compounds 2015",
        "noun-compounds/farahmand2015_nonComp-judgments.csv",
        "https://github.com/meghdadFar/en_ncs_noncompositional_conventionalized",
        "CC BY-SA 3.0",
        "andornot.datasets.compounds.read_farahmand",
        _on_github(
            "meghdadFar/en_ncs_noncompositional_conventionalized",
            "6ff2a26bc8b32c649526784422a4f883b01b87b0",
            "instances_judgments/nonComp-judgments.csv",
            22_915,
            "c1d044854a8e54a41525cf2208c5c07065443098e9aed75fb22c6b6eaa7ce178",
        ),
    ),
    "reddy-2011": Dataset(
        "Reddy compounds 2011",
        "noun-compounds/reddy2011_MeanAndDeviations.clean.txt",
        "https://aclanthology.org/I11-1024/",
        "for research",
        "andornot.datasets.compounds.read_reddy",
        Download(
            "http://www.dianamccarthy.co.uk/files/ijcnlp_compositionality_data.tgz",
            inside="ijcnlp_compositionality_data/MeanAndDeviations.clean.txt",
            content="7554f410a4898bd5c49ea42a3514751d234d37a7968da4c1af17c9bed055a516",
        ),
    ),
    "ramisch-2016": Dataset(
        "Ramisch compounds 2016",
        "noun-compounds/ramisch2016_en90.csv",
        "https://pageperso.lis-lab.fr/carlos.ramisch/?page=downloads/compounds",
        "for research",
        "andornot.datasets.compounds.read_ramisch",
        note="its 90 English compounds as CSV, with columns target and cpd (the compound's mean)",
    ),
    "or-tuples": Dataset(
        "Dasgupta OR tuples 2022",
        "or-tuples/dasgupta2022.txt",
        "https://aclanthology.org/2022.acl-long.161",
        "not stated",
        "andornot.datasets.tuples.read_tuples",
        note="that page offers no file; write one with the OR word and then its words on each "
        "line, separated by tabs",
    ),
    "descriptions": _definitions("descriptions by people", "data_desc_c.json"),
    "definitions-seen": _definitions("definitions, seen", "data_test_500_rand1_seen.json"),
    "definitions-unseen": _definitions("definitions, unseen", "data_test_500_rand1_unseen.json"),
    "category-norms": Dataset(
        "Banks and Connell category norms",
        "category-norms/category-production-banks-connell.csv",
        "https://osf.io/jgcu6/",
        "for research, with citation",
        "andornot.datasets.category_norms.read_category_norms",
        note="its responses as CSV, with columns Category, Response, Production.frequency and "
        "Mean.rank",
    ),
    "feature-norms": Dataset(
        "McRae feature norms 2005",
        "feature-norms/mcrae2005/CONCS_FEATS_concstats_brm.txt",
        "https://doi.org/10.3758/BF03192726",
        "non-commercial research, with citation",
        "andornot.datasets.feature_norms.read_feature_norms",
        note="CONCS_FEATS_concstats_brm.txt of the article's supplement",
    ),
    "alternatives": Dataset(
        "Kruszewski negation ratings 2016",
        "negation/kruszewski2016/it_ratings.txt",
        "http://marcobaroni.org/PublicData/",
        "CC BY-SA 4.0",
        "andornot.datasets.negated_nouns.read_alternatives",
        note="it_ratings.txt of the ratings of alternatives to negated nouns",
    ),
    "codenames": Dataset(
        "Codenames words",
        "codenames/codewords.txt",
        "https://boardgamegeek.com/boardgame/178900/codenames",
        "not stated",
        "andornot.datasets.game_words.read_game_words",
        note="the words of the game's cards, one on each line",
    ),
    "reuters-21578": Dataset(
        "Reuters-21578",
        "reuters-21578/reuters21578.tar.gz",
        "https://www.daviddlewis.com/resources/testcollections/reuters21578",
        "for research",
        "andornot.datasets.news.read_reuters",
        note="download reuters21578.tar.gz from its page",
    ),
    "word-frequencies": Dataset(
        "Wikipedia unigrams of SIF",
        "word-frequency/enwiki_vocab_min200.txt",
        "https://github.com/PrincetonML/SIF",
        "MIT",
        "andornot.words.counts.read_counts_file",
        _on_github(
            "PrincetonML/SIF",
            "84b5b4c1c1ca20b6af19fc78cae005a1818ec571",
            "auxiliary_data/enwiki_vocab_min200.txt",
            2_398_218,
            "472326d0b31161ecd316f10fdb548f4cd812b6ff0b7c030b6cc0cbaf5de8b7cd",
        ),
    ),
    "text8": Dataset(
        "text8",
        "corpora/text8.zip",
        "http://mattmahoney.net/dc/textdata.html",
        "GFDL and CC BY-SA (Wikipedia)",
        "andornot.corpus.open_corpus",
        Download(
            "https://mattmahoney.net/dc/text8.zip",
            31_344_016,
            "sha256:a6640522afe85d1963ad56c05b0ede0a0c000dddc9671758a6cc09b7a38e5232",
        ),
    ),
    "text8-prefix": Dataset(
        "text8, its first 74 %",
        "corpora/text8-prefix.txt.xz",
        "http://mattmahoney.net/dc/textdata.html",
        "GFDL and CC BY-SA (Wikipedia)",
        "andornot.corpus.open_corpus",
        note="the first 74,090,640 bytes of text8, compressed with xz",
    ),
    "enwiki": Dataset(
        "English Wikipedia",
        "corpora/enwiki.txt.xz",
        "https://dumps.wikimedia.org",
        "CC BY-SA (Wikipedia)",
        "andornot.corpus.open_corpus",
        note="the text of all articles of a dump, compressed with xz; the paper's has 2.1G tokens",
    ),
    "enwiki-sample": Dataset(
        "English Wikipedia, 3 %",
        "corpora/enwiki-sample.txt.xz",
        "https://dumps.wikimedia.org",
        "CC BY-SA (Wikipedia)",
        "andornot.corpus.open_corpus",
        note="the text of 29,123 articles, taken from a dump and compressed with xz",
    ),
}
