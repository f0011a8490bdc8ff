"""Names of flows, their learners, and the algorithms these belong to."""

import csv
from pathlib import Path

import polars as pl
import pytest
from tables import sentence

import winodds
from adapters.samples import SAMPLES, adapted, save, texts
from winodds.adapters.algorithms import corrections
from winodds.adapters.flow_names import parse_flow
from winodds.errors import BadAlgorithms, BadOption

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
SAVED = SAMPLES / "openml" / "evaluations_by_fold.csv"

TABLE_4_4 = {
    "weka.SimpleLogistic": "LogisticRegression",
    "weka.Stacking_RandomTree": "StackingClassifier",
    "weka.Bagging_REPTree": "BaggingClassifier",
    "weka.RandomSubSpace_REPTree": "EnsembleClassifier",
    "weka.CVParameterSelection_ZeroR": "RuleBasedClassifier",
    "weka.AdaboostM1_RandomTree": "AdaBoostClassifier",
    "weka.LogitBoost_DecisionStump": "GradientBoostingClassifier",
    "weka.AdaboostM1_REPTree": "AdaBoostClassifier",
}
"""The examples of the study, its class names spelled as in its Table 4.3."""

TREE, NEIGHBOURS = "DecisionTreeClassifier", "KNeighborsClassifier"
FOREST, SVM = "RandomForestClassifier", "SVMClassifier"
BOOSTING, BAGGING, ADABOOST = (
    "GradientBoostingClassifier",
    "BaggingClassifier",
    "AdaBoostClassifier",
)

WEKA = {
    "LMT": "HybridClassifier",
    "J48": TREE,
    "IBk": NEIGHBOURS,
    "MultilayerPerceptron": "NeuralNetwork",
    "RandomForest": FOREST,
    "LibSVM": SVM,
    "ZeroR": "RuleBasedClassifier",
    "A1DE": "NaiveBayes",
    "ADTree": BOOSTING,
    "NBTree": "HybridClassifier",
    "BayesNet_K2": "BayesNet",
    "NaiveBayesUpdateable": "NaiveBayes",
    "SMO_PolyKernel": SVM,
    "AttributeSelectedClassifier_J48": TREE,
    "AttributeSelectedClassifier_RandomForest": FOREST,
    "AttributeSelectedClassifier_BayesNet": "BayesNet",
    "AttributeSelectedClassifier_MultilayerPerceptron": "NeuralNetwork",
    "AttributeSelectedClassifier_CfsSubsetEval_BestFirst_IBk": NEIGHBOURS,
    "FilteredClassifier_Discretize_J48": TREE,
    "FilteredClassifier_RandomForest": FOREST,
    "FilteredClassifier_AttributeSelectedClassifier_IBk": NEIGHBOURS,
    "FilteredClassifier_SMO_PolyKernel": SVM,
    "FilteredClassifier_FilteredClassifier_FilteredClassifier_IBk": NEIGHBOURS,
    "FilteredClassifier_FilteredClassifier_DecisionTable": "RuleBasedClassifier",
    "FilteredClassifier_FilteredClassifier_Vote_RandomForest": "EnsembleClassifier",
    "FilteredClassifier_Bagging_AdaBoostM1_J48": BAGGING,
    "FilteredClassifier_Bagging_AdaBoostM1_FilteredClassifier_J48": BAGGING,
    "RandomizableFilteredClassifier_RandomForest": FOREST,
    "RandomizableFilteredClassifier_Bagging_RandomForest": BAGGING,
    "RandomizableFilteredClassifier_AdaBoostM1_RandomForest": ADABOOST,
    "RandomizableFilteredClassifier_SimpleLogistic": "LogisticRegression",
    "RotationForest_PrincipalComponents_J48": "EnsembleClassifier",
    "RotationForest_PrincipalComponents_LMT": "EnsembleClassifier",
    "AdaBoostM1_SMO_PolyKernel": ADABOOST,
    "AdaBoostM1_NaiveBayes": ADABOOST,
    "Bagging_SMO_PolyKernel": BAGGING,
    "Bagging_JRip": BAGGING,
    "Bagging_LogitBoost_DecisionStump": BAGGING,
    "Bagging_FilteredClassifier_LMT": BAGGING,
    "MultiBoostAB_JRip": "MultiBoostClassifier",
    "Stacking_REPTree": "StackingClassifier",
    "Stacking_ZeroR": "StackingClassifier",
    "Vote_RandomForest": "EnsembleClassifier",
    "LogitBoost_RandomSubSpace_REPTree": BOOSTING,
    "IterativeClassifierOptimizer_LogitBoost_DecisionStump": BOOSTING,
    "END_ND_J48": "EnsembleClassifier",
    "FKC_EigenPro": "KernelClassifier",
    "Grading_": "EnsembleClassifier",
    "LibLINEAR": None,
    "CHIRP": None,
    "FilteredClassifier": None,
}

MLR = {
    "mlr.classif.rpart.preproc": TREE,
    "mlr.classif.svm": SVM,
    "mlr.classif.svm_7": SVM,
    "mlr.classif.ksvm": SVM,
    "mlr.classif.glmnet": "LogisticRegression",
    "mlr.classif.kknn": NEIGHBOURS,
    "mlr.classif.kknn.preproc.preproc": NEIGHBOURS,
    "mlr.classif.xgboost_4": BOOSTING,
    "classif.xgboost.dummied.tuned": BOOSTING,
    "mlr.classif.ranger": FOREST,
    "mlr.classif.ranger_16": FOREST,
    "mlr.classif.ranger.imputed.dummied.preproc": FOREST,
    "mlr.classif.RRF.imputed.dummied.preproc": FOREST,
    "mlr.classif.randomForest": FOREST,
    "classif.randomForest": FOREST,
    "mlr.classif.develpartykit.ctree": TREE,
    "classif.IBk": NEIGHBOURS,
    "classif.lda": "DiscriminantAnalysis",
    "classif.rpart.bagged": BAGGING,
    "classif.rpart.bagged.tuned": BAGGING,
    "classif": None,
    "mlr.regr.ranger": None,
    "mlr.classif.mine": None,
}

STEPS = "sklearn.preprocessing.imputation.Imputer"
TUNED = "sklearn.model_selection._search.RandomizedSearchCV"
SCIKIT = {
    "sklearn.svm.classes.SVC": SVM,
    "sklearn.tree.tree.ExtraTreeClassifier": TREE,
    "sklearn.tree.tree.DecisionTreeClassifier": TREE,
    "sklearn.ensemble.forest.RandomForestClassifier": FOREST,
    "sklearn.ensemble.forest.ExtraTreesClassifier": FOREST,
    "sklearn.ensemble.gradient_boosting.GradientBoostingClassifier": BOOSTING,
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting."
    "HistGradientBoostingClassifier": BOOSTING,
    "sklearn.ensemble.weight_boosting.AdaBoostClassifier": ADABOOST,
    "sklearn.neighbors.classification.KNeighborsClassifier": NEIGHBOURS,
    "sklearn.neural_network.multilayer_perceptron.MLPClassifier": "NeuralNetwork",
    "sklearn.naive_bayes.BernoulliNB": "NaiveBayes",
    "sklearn.linear_model._logistic.LogisticRegression": "LogisticRegression",
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": "DiscriminantAnalysis",
    "xgboost.sklearn.XGBClassifier": BOOSTING,
    f"{TUNED}(estimator=sklearn.neighbors._classification.KNeighborsClassifier)": NEIGHBOURS,
    f"{TUNED}(sklearn.model_selection._split.StratifiedKFold,sklearn.pipeline.Pipeline("
    "sklearn.preprocessing.data.OneHotEncoder,sklearn.preprocessing.data.StandardScaler,"
    "sklearn.tree.tree.DecisionTreeClassifier))": TREE,
    "sklearn.pipeline.Pipeline(imputation=openmlstudy14.preprocessing.ConditionalImputer,"
    "hotencoding=sklearn.preprocessing.data.OneHotEncoder,"
    "classifier=sklearn.ensemble.forest.RandomForestClassifier)": FOREST,
    "sklearn.pipeline.Pipeline(columntransformer=sklearn.compose._column_transformer."
    f"ColumnTransformer(numeric=sklearn.pipeline.Pipeline(imputer={STEPS},standardscaler="
    "sklearn.preprocessing.data.StandardScaler),nominal=sklearn.pipeline.Pipeline("
    "simpleimputer=sklearn.impute.SimpleImputer,onehotencoder="
    "sklearn.preprocessing._encoders.OneHotEncoder)),variancethreshold="
    "sklearn.feature_selection.variance_threshold.VarianceThreshold,"
    "svc=sklearn.svm.classes.SVC)": SVM,
    f"sklearn.pipeline.Pipeline(Imputer={STEPS},Estimator={TUNED}("
    "estimator=sklearn.tree.tree.DecisionTreeClassifier))": TREE,
    f"sklearn.pipeline.Pipeline(imputer={STEPS},model=sklearn.ensemble.bagging."
    "BaggingClassifier(base_estimator=sklearn.svm.classes.SVC))": BAGGING,
    "sklearn.ensemble.weight_boosting.AdaBoostClassifier("
    "base_estimator=sklearn.tree.tree.DecisionTreeClassifier)": ADABOOST,
    "sklearn.ensemble.voting_classifier.VotingClassifier("
    "a=sklearn.svm.classes.SVC,b=sklearn.naive_bayes.GaussianNB)": "EnsembleClassifier",
    "sklearn.multiclass.OneVsRestClassifier(estimator=sklearn.svm.classes.LinearSVC)": SVM,
    "sklearn.pipeline.Pipeline(imputer=sklearn.impute._base.SimpleImputer,"
    "model=xgboost.sklearn.XGBClassifier)": BOOSTING,
    "sklearn.Pipeline(ColumnTransformer,VarianceThreshold,SVC)": SVM,
    "sklearn.RandomizedSearchCV(KNeighborsClassifier)": NEIGHBOURS,
    "sklearn.Pipeline(...,SVC)": SVM,
    f"sklearn.pipeline.Pipeline(svc=sklearn.svm.classes.SVC,last={STEPS})": None,
    "sklearn.pipeline.Pipeline(sklearn.svm.classes.SVC,sklearn.naive_bayes.GaussianNB)": None,
    "sklearn.pipeline.Pipeline": None,
    "sklearn.svm": None,
    "HIKNN": None,
    "HubMiner.AKNN": None,
    "DeepForest.DeepForest": None,
    "__main__.AUCLGBMClassifier": None,
    "matrixnet_on_MagicTelescope_implementation": None,
    "rm.process.polynomial_by_binomial_classification_support_vector_machine": None,
}
FLOWS = {**{f"weka.{name}": found for name, found in WEKA.items()}, **MLR, **SCIKIT}


@pytest.mark.parametrize(("name", "algorithm"), TABLE_4_4.items())
def test_the_examples_of_the_study_have_their_classes(name: str, algorithm: str) -> None:
    assert winodds.extract_algorithm(name).algorithm == algorithm


@pytest.mark.parametrize(("name", "algorithm"), FLOWS.items())
def test_a_flow_has_its_algorithm_or_none_whatever_its_version(
    name: str, algorithm: str | None
) -> None:
    assert winodds.extract_algorithm(name).algorithm == algorithm
    assert winodds.extract_algorithm(f"8455_{name}(12)").algorithm == algorithm


def test_enough_public_names_are_tried() -> None:
    assert len(FLOWS) > 100


def test_genuine_names_of_two_studies_are_all_known() -> None:
    names = set()
    for number, metric in ((14, "accuracy"), (34, "auc")):
        path = SHARED / f"openml_study_{number}_{metric}.csv"
        if not path.exists():
            pytest.skip(f"{path.name} is not there")
        with path.open(encoding="utf-8") as file:
            names |= {row["model"] for row in csv.DictReader(file)}
    found = {name: winodds.extract_algorithm(name) for name in names}
    assert len(found) == 37
    assert [name for name, it in found.items() if it.algorithm is None] == []
    assert {it.learner for it in found.values() if it.algorithm == SVM} == {"SMO"}
    assert {it.learner for it in found.values() if it.algorithm == ADABOOST} == {"AdaBoostM1"}


def test_an_answer_tells_the_tool_the_parts_and_the_learner() -> None:
    name = "weka.FilteredClassifier_MultiSearch_SMO_RBFKernel(2)"
    parts = ("FilteredClassifier", "MultiSearch", "SMO", "RBFKernel")
    assert winodds.extract_algorithm(name) == winodds.Algorithm(name, "weka", parts, "SMO", SVM)
    assert winodds.extract_algorithm("classif.rpart.tuned").tool == "mlr"


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("weka.MyTree", "'MyTree' is not in the table of algorithms"),
        ("weka.FilteredClassifier_MyFilter_J48", "'MyFilter' is not in the table of algorithms"),
        ("weka.LibLINEAR", "'LibLINEAR': it is a linear SVM or a logistic regression, by its "
         "solver"),
        ("weka.CVParameterSelection", "it names no learner"),
        ("sklearn.pipeline.Pipeline(a.B,c.D)", "it is not clear which of its parts learns"),
        ("a.B(c.D", "its parentheses do not match, or something between them is empty"),
        ("a.B)c(", "its parentheses do not match, or something between them is empty"),
        ("", "its parentheses do not match, or something between them is empty"),
        ("(" * 10_000, "its parentheses do not match, or something between them is empty"),
        ("a(" * 900 + "b" + ")" * 900, "its parentheses do not match, or something between them "
         "is empty"),
        ("weka.LBR", "Table 4.3 has 'LBR' in LogisticRegression; its letters stand for lazy "
         "Bayesian rules"),
    ],
)  # fmt: skip
def test_a_note_says_why_a_name_is_unknown_or_placed_elsewhere(name: str, note: str) -> None:
    assert winodds.extract_algorithm(name).note == note


def test_words_inside_of_other_words_are_not_found() -> None:
    for name in ("weka.LIBSVMX", "mlr.classif.LR", "weka.IB", "sklearn.x.NotSVC", "weka.J48X"):
        assert winodds.extract_algorithm(name).algorithm is None


def test_every_correction_is_what_the_table_says() -> None:
    assert len(corrections()) == 16
    for learner, old, new, _ in corrections():
        tool = "sklearn.x" if learner.endswith("Classifier") and "RBF" not in learner else "weka"
        assert winodds.extract_algorithm(f"{tool}.{learner}").algorithm == new != old


def test_the_page_lists_every_correction() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "sources" / "algorithms.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[-len(corrections()) :] == [
        f"| {learner} | {old} | {new or 'unknown'} | {why} |"
        for learner, old, new, why in corrections()
    ]


def test_parts_keep_their_roles() -> None:
    flow = parse_flow("a.Pipeline(x=b.C(y=d.E),z=f.G)(3)")
    assert flow is not None
    assert [(part.role, part.path, len(part.parts)) for part in flow.parts] == [
        ("x", "b.C", 1),
        ("z", "f.G", 0),
    ]
    assert flow.names == ("Pipeline", "C", "E", "G")


# Tables of users ----------------------------------------------------------------------------------


def test_a_table_adds_and_has_the_last_word(tmp_path: Path) -> None:
    toml, sheet = tmp_path / "mine.toml", tmp_path / "mine.csv"
    toml.write_text('Mine = ["HIKNN"]\n[weka]\nLinear = ["LibLINEAR", "OLM"]\n', encoding="utf-8")
    lines = "learner,algorithm,tool\nHIKNN,Mine,\nLibLINEAR,Linear,weka\nOLM,Linear,weka\n"
    sheet.write_text(lines, encoding="utf-8")
    given = {"Mine": ["HIKNN"], "weka": {"Linear": ["LibLINEAR", "OLM"]}}
    for table in (toml, str(sheet), given):
        names = ("HIKNN", "weka.LibLINEAR(1)", "weka.OLM", "weka.J48")
        found = [winodds.extract_algorithm(name, table=table) for name in names]
        assert [it.algorithm for it in found] == ["Mine", "Linear", "Linear", TREE]
        assert [it.note for it in found] == [None] * 4


def test_a_table_can_name_wrappers_and_filters() -> None:
    table = {"transparent": {"weka": ["MySearch"]}, "components": {"weka": ["MyFilter"]}}
    name = "weka.MySearch_FilteredClassifier_MyFilter_J48"
    assert winodds.extract_algorithm(name).algorithm is None
    assert winodds.extract_algorithm(name, table=table).algorithm == TREE


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.toml", 'Tree = "J48"', "'Tree' has no list of names"),
        ("a.toml", "Tree = [1]", "'Tree' lists something that is no name"),
        ("a.toml", '[wekka]\nTree = ["J48"]', "'wekka' is no tool of weka, sklearn, mlr, other"),
        ("a.csv", "a,b\n1,2\n", "it needs the columns 'learner' and 'algorithm'"),
        ("a.csv", "learner,algorithm\nJ48,\n", "a cell of line 2 is empty"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(
    name: str, text: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    said = sentence(BadAlgorithms, lambda: winodds.extract_algorithm("weka.J48", table=path))
    assert said.startswith(f"The table of algorithms in '{path}' cannot be read: {reason}. It maps")


def test_text_that_is_no_toml_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("Tree = [", encoding="utf-8")
    said = sentence(BadAlgorithms, lambda: winodds.extract_algorithm("weka.J48", table=path))
    assert "it is no TOML: " in said
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadAlgorithms, match="it is no text in UTF-8"):
        winodds.extract_algorithm("weka.J48", table=path)


# The adapter --------------------------------------------------------------------------------------


def test_saved_evaluations_have_algorithms_as_families(tmp_path: Path) -> None:
    source = adapted(SAVED)
    families = dict(source.table.select("player", "family").unique().iter_rows())
    assert families == {
        "101_weka.J48(1)": TREE,
        "102_weka.RandomForest(2)": FOREST,
        "103_sklearn.svm(3)": "unknown",
    }
    assert texts(source)[1] == (
        "The algorithm of 1 of 3 flows is not known, and their family is 'unknown': "
        "'103_sklearn.svm(3)'. algorithms takes a table that adds to the built-in one."
    )
    mine = tmp_path / "mine.csv"
    mine.write_text("learner,algorithm\nsvm,SVMClassifier\n", encoding="utf-8")
    told = adapted(SAVED, algorithms=mine)
    assert told.table.filter(pl.col("player") == "103_sklearn.svm(3)")["family"][0] == SVM
    assert len(texts(told)) == 1


def test_without_names_of_flows_there_are_no_families(tmp_path: Path) -> None:
    path = save(pl.read_csv(SAVED).drop("flow_name"), tmp_path)
    assert "family" not in adapted(path).knows


def test_algorithms_are_refused_where_players_are_no_flows(tmp_path: Path) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text("player,round,auc\na,1,0.5\nb,1,0.6\n", encoding="utf-8")
    said = sentence(BadOption, lambda: adapted(plain, algorithms="mine.toml"))
    assert "it is for logs of other tools, and this is a plain table" in said
    study = SAMPLES / "amlb"
    file = next(iter(sorted(study.glob("*.csv"))))
    assert "it is for flows of OpenML, and this is" in sentence(
        BadOption, lambda: adapted(file, algorithms="mine.toml")
    )
