"""Genuine names of flows, and all of Table 4.3: every name has its class, or none.

The names are those of the 176 search spaces that the benchmark HPO-B took from OpenML (S. Pineda
Arango, H. Jomaa, M. Wistuba and J. Grabocka 2021, Table 5), each once; their classes are written
down here by hand.
"""

import pytest

import winodds

HPO_B: dict[str | None, list[str]] = {
    "AdaBoostClassifier": [
        "weka.AdaBoostM1_SMO_PolyKernel",
        "weka.AdaBoostM1_NaiveBayes",
        "weka.AdaBoostM1_RandomForest",
        "weka.RandomizableFilteredClassifier_AdaBoostM1_RandomForest",
        "sklearn.ensemble.weight_boosting.AdaBoostClassifier",
    ],
    "BaggingClassifier": [
        "weka.Bagging_SMO_PolyKernel",
        "weka.Bagging_RandomTree",
        "weka.Bagging_JRip",
        "weka.Bagging_LogitBoost_DecisionStump",
        "weka.Bagging_RandomForest",
        "weka.Bagging_J48",
        "weka.Bagging_FilteredClassifier_LMT",
        "weka.RandomizableFilteredClassifier_Bagging_RandomForest",
        "weka.FilteredClassifier_Bagging_AdaBoostM1_J48",
        "weka.FilteredClassifier_Bagging_AdaBoostM1_FilteredClassifier_J48",
        "weka.Bagging_FilteredClassifier_J48",
    ],
    "BayesNet": [
        "weka.AttributeSelectedClassifier_BayesNet",
        "weka.RandomizableFilteredClassifier_BayesNet",
    ],
    "DecisionTreeClassifier": [
        "weka.J48",
        "weka.AttributeSelectedClassifier_J48",
        "weka.FilteredClassifier_J48",
        "weka.FilteredClassifier_AttributeSelectedClassifier_J48",
        "mlr.classif.rpart",
        "mlr.classif.rpart.preproc",
        "mlr.classif.rpart.imputed.dummied.preproc",
        "mlr.classif.develpartykit.ctree",
        "weka.FilteredClassifier_RandomTree",
        "weka.RandomizableFilteredClassifier_J48",
        "weka.RandomizableFilteredClassifier_RandomTree",
        "sklearn.tree.tree.ExtraTreeClassifier",
        "sklearn.tree.tree.DecisionTreeClassifier",
    ],
    "EnsembleClassifier": [
        "weka.RotationForest_PrincipalComponents_J48",
        "weka.RotationForest_PrincipalComponents_REPTree",
        "weka.RotationForest_PrincipalComponents_RandomTree",
        "weka.RotationForest_PrincipalComponents_RandomForest",
        "weka.RotationForest_PrincipalComponents_LMT",
        "weka.Vote_RandomForest",
        "weka.FilteredClassifier_FilteredClassifier_Vote_RandomForest",
    ],
    "GradientBoostingClassifier": [
        "mlr.classif.xgboost",
        "weka.LogitBoost_RandomSubSpace_REPTree",
        "weka.IterativeClassifierOptimizer_LogitBoost_DecisionStump",
        "weka.LogitBoost_DecisionStump",
        "sklearn.ensemble.gradient_boosting.GradientBoostingClassifier",
        "xgboost.sklearn.XGBClassifier",
    ],
    "HybridClassifier": [
        "weka.LMT",
        "weka.RandomizableFilteredClassifier_LMT",
    ],
    "KNeighborsClassifier": [
        "weka.IBk",
        "weka.AttributeSelectedClassifier_IBk",
        "weka.FilteredClassifier_IBk",
        "weka.FilteredClassifier_AttributeSelectedClassifier_IBk",
        "mlr.classif.kknn",
        "mlr.classif.kknn.preproc.preproc",
        "classif.IBk",
        "weka.AttributeSelectedClassifier_CfsSubsetEval_BestFirst_IBk",
        "weka.FilteredClassifier_FilteredClassifier_FilteredClassifier_IBk",
        "weka.FilteredClassifier_FilteredClassifier_IBk",
        "sklearn.neighbors.classification.KNeighborsClassifier",
    ],
    "LogisticRegression": [
        "mlr.classif.glmnet",
        "weka.SimpleLogistic",
        "weka.RandomizableFilteredClassifier_SimpleLogistic",
    ],
    "MultiBoostClassifier": [
        "weka.MultiBoostAB_JRip",
    ],
    "NaiveBayes": [
        "weka.NaiveBayes",
        "weka.FilteredClassifier_NaiveBayes",
        "weka.RandomizableFilteredClassifier_NaiveBayes",
        "weka.NaiveBayesUpdateable",
        "sklearn.naive_bayes.BernoulliNB",
    ],
    "NeuralNetwork": [
        "weka.MultilayerPerceptron",
        "weka.AttributeSelectedClassifier_MultilayerPerceptron",
        "weka.RandomizableFilteredClassifier_MultilayerPerceptron",
        "sklearn.neural_network.multilayer_perceptron.MLPClassifier",
    ],
    "RandomForestClassifier": [
        "weka.RandomForest",
        "weka.AttributeSelectedClassifier_RandomForest",
        "weka.FilteredClassifier_RandomForest",
        "weka.FilteredClassifier_AttributeSelectedClassifier_RandomForest",
        "mlr.classif.ranger",
        "mlr.classif.randomForest",
        "mlr.classif.ranger.imputed.dummied.preproc",
        "mlr.classif.RRF.imputed.dummied.preproc",
        "classif.randomForest",
        "weka.FilteredClassifier_FilteredClassifier_RandomForest",
        "weka.RandomizableFilteredClassifier_RandomForest",
        "weka.FilteredClassifier_FilteredClassifier_RandomizableFilteredClassifier_RandomForest",
        "sklearn.ensemble.forest.RandomForestClassifier",
        "sklearn.ensemble.forest.ExtraTreesClassifier",
    ],
    "RuleBasedClassifier": [
        "weka.ZeroR",
        "weka.FilteredClassifier_FilteredClassifier_DecisionTable",
    ],
    "SVMClassifier": [
        "weka.SMO_PolyKernel",
        "weka.FilteredClassifier_SMO_PolyKernel",
        "weka.AttributeSelectedClassifier_SMO_PolyKernel",
        "mlr.classif.svm",
        "mlr.classif.ksvm",
        "weka.LibSVM",
        "weka.FilteredClassifier_SMO_RBFKernel",
        "weka.RandomizableFilteredClassifier_SMO_PolyKernel",
        "sklearn.svm.classes.SVC",
    ],
    "StackingClassifier": [
        "weka.Stacking_REPTree",
        "weka.Stacking_ZeroR",
    ],
    None: [
        "rm.process.polynomial_by_binomial_classification_support_vector_machine",
        "matrixnet_on_MagicTelescope_implementation",
        "DeepForest.DeepForest",
        "__main__.AUC_Booster",
        "__main__.AUCLGBMClassifier",
        "HIKNN",
        "ANHBNN",
        "HwKNN",
        "KNN",
        "NHBNN",
        "HFNN",
        "DWHFNN",
        "CBWkNN",
        "NWKNN",
        "AKNN",
        "HubMiner.HIKNN",
        "HubMiner.KNN",
        "HubMiner.NHBNN",
        "HubMiner.AKNN",
    ],
}

TABLE_4_3 = {
    "DecisionTreeClassifier": (
        "J48, REPTree, HoeffdingTree, END_ND_J48, RandomTree, DecisionStump, LADTree, BFTree, "
        "SimpleCart, Id3, A1DE, A2DE, OSDL, ExtraTree, FT, CHIRP, "
        "sklearn.DecisionTreeClassifier, sklearn.ExtraTreesClassifier"
    ),
    "AdaBoostClassifier": "AdaBoostM1, RealAdaBoost",
    "BaggingClassifier": "Bagging",
    "SVMClassifier": "SMO, SPegasos, LibSVM, sklearn.LinearSVC, sklearn.NuSVC, sklearn.SVC",
    "RuleBasedClassifier": (
        "ZeroR, JRip, OneR, PART, ConjunctiveRule, Ridor, Prism, FURIA, DecisionTable"
    ),
    "RandomForestClassifier": "RandomForest",
    "NaiveBayes": (
        "NaiveBayesUpdateable, ComplementNaiveBayes, NaiveBayesMultinomial, HNB, "
        "sklearn.GaussianNB, sklearn.BernoulliNB, sklearn.MultinomialNB"
    ),
    "MultiBoostClassifier": "MultiBoostAB",
    "KNeighborsClassifier": "KStar, NNge",
    "LogisticRegression": ("Logistic, SimpleLogistic, LBR, sklearn.HistGradientBoostingClassifier"),
    "NeuralNetwork": (
        "VotedPerceptron, MultilayerPerceptron, RBFNetwork, OLM, MultilayerPerceptronCS, "
        "MLPClassifier, sklearn.MLPClassifier"
    ),
    "GradientBoostingClassifier": "LogitBoost, RacedIncrementalLogitBoost",
    "HybridClassifier": (
        "LMT, NBTree, DTNB, M5P, ADTree, HyperPipes, LibLINEAR, BayesianLogisticRegression"
    ),
    "EnsembleClassifier": (
        "RotationForest, Decorate, Vote, Grading_, VFI, Dagging, RandomCommittee, "
        "RandomSubspace, RandomSubSpace"
    ),
    "SGDClassifier": "SGD",
    "WeightedLearning": "LWL, Winnow",
    "BayesNet": "BayesNet",
    "KernelClassifier": "RBFClassifier, KernelLogisticRegression, FKC_EigenPro, FKCEigenPro",
    "StackingClassifier": "Stacking",
}
"""Table 4.3 as it is printed; its fragments IB, LR and SVM are no names."""

MISTAKEN = {
    "sklearn.HistGradientBoostingClassifier": "GradientBoostingClassifier",
    "sklearn.ExtraTreesClassifier": "RandomForestClassifier",
    "A1DE": "NaiveBayes",
    "A2DE": "NaiveBayes",
    "LBR": "NaiveBayes",
    "BayesianLogisticRegression": "LogisticRegression",
    "LibLINEAR": None,
    "END_ND_J48": "EnsembleClassifier",
    "OSDL": "OrdinalClassifier",
    "OLM": "OrdinalClassifier",
    "CHIRP": None,
    "VFI": "IntervalClassifier",
    "HyperPipes": "IntervalClassifier",
    "Winnow": "LinearClassifier",
    "RBFClassifier": "NeuralNetwork",
    "ADTree": "GradientBoostingClassifier",
}
"""What stands in the wrong class there, and where it belongs."""

MISSING = {
    "sklearn.ensemble.AdaBoostClassifier": "AdaBoostClassifier",
    "sklearn.ensemble.BaggingClassifier": "BaggingClassifier",
    "sklearn.neighbors.KNeighborsClassifier": "KNeighborsClassifier",
    "sklearn.ensemble.RandomForestClassifier": "RandomForestClassifier",
    "sklearn.ensemble.GradientBoostingClassifier": "GradientBoostingClassifier",
    "sklearn.linear_model.SGDClassifier": "SGDClassifier",
    "sklearn.linear_model.LogisticRegression": "LogisticRegression",
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": "DiscriminantAnalysis",
}
"""What it does not have: scikit-learn's own names, and a class for discriminant analysis."""

NESTED = (
    "sklearn.model_selection._search.RandomizedSearchCV(estimator=sklearn.pipeline.Pipeline("
    "ohe=sklearn.preprocessing._encoders.OneHotEncoder,scaler=sklearn.preprocessing.data."
    "StandardScaler,boosting=sklearn.ensemble.weight_boosting.AdaBoostClassifier("
    "base_estimator=sklearn.tree.tree.DecisionTreeClassifier)))"
)
"""How OpenML's client serialises a search over a pipeline that ends in boosted trees."""


def test_names_of_a_public_benchmark_have_their_class_or_none() -> None:
    names = [name for own in HPO_B.values() for name in own]
    assert len(set(names)) == len(names) > 110
    found = {name: winodds.extract_algorithm(f"{name}(2)").algorithm for name in names}
    assert found == {name: kind for kind, own in HPO_B.items() for name in own}
    assert sum(kind is None for kind in found.values()) == len(HPO_B[None])


@pytest.mark.parametrize("kind", TABLE_4_3)
def test_names_of_table_4_3_have_its_class_unless_it_is_mistaken(kind: str) -> None:
    for name in TABLE_4_3[kind].split(", "):
        whole = name if name.startswith("sklearn.") else f"weka.{name}"
        found = winodds.extract_algorithm(whole)
        expected = MISTAKEN.get(name, kind)
        assert found.algorithm == expected, name
        assert (found.note is not None) is (name in MISTAKEN), name


def test_every_mistake_stands_in_the_table_and_is_noted() -> None:
    listed = {name for names in TABLE_4_3.values() for name in names.split(", ")}
    assert MISTAKEN.keys() <= listed
    assert len(TABLE_4_3) == 19


def test_names_that_the_table_lacks_have_a_class() -> None:
    assert {name: winodds.extract_algorithm(name).algorithm for name in MISSING} == MISSING
    assert winodds.extract_algorithm(NESTED).algorithm == "AdaBoostClassifier"
    for fragment in ("IB", "LR", "SVM"):
        assert winodds.extract_algorithm(f"weka.{fragment}").algorithm is None
