"""Every error, by its public name; each lives beside those who raise it."""

from winodds.board.errors import (
    BrokenJson as BrokenJson,
    InComponent as InComponent,
    NeverMet as NeverMet,
    NoCommonScale as NoCommonScale,
    NoCompleteRounds as NoCompleteRounds,
    NoEvidence as NoEvidence,
    NotJson as NotJson,
    OverlapAcrossTournaments as OverlapAcrossTournaments,
    SamePlayer as SamePlayer,
    SchemaUnknown as SchemaUnknown,
    Separated as Separated,
    TooManyToCompare as TooManyToCompare,
    UnknownPlayer as UnknownPlayer,
)
from winodds.design.errors import (
    SingularInformation as SingularInformation,
    TooManyPlayers as TooManyPlayers,
)
from winodds.fit.errors import (
    NotConverged as NotConverged,
)
from winodds.language.errors import (
    BadOption as BadOption,
    DataError as DataError,
    MissingExtra as MissingExtra,
    NotWritten as NotWritten,
    UseError as UseError,
    WinoddsError as WinoddsError,
)
from winodds.matches.errors import (
    ClusterSplitsTournament as ClusterSplitsTournament,
    NoMatches as NoMatches,
    TooFewClusters as TooFewClusters,
)
from winodds.read.errors import (
    BadCell as BadCell,
    BadCells as BadCells,
    BadJsonLine as BadJsonLine,
    DuplicateHeader as DuplicateHeader,
    EmptyFile as EmptyFile,
    HeaderOnly as HeaderOnly,
    IsFolder as IsFolder,
    MissingKey as MissingKey,
    NoSuchFile as NoSuchFile,
    OpenQuote as OpenQuote,
    RaggedLines as RaggedLines,
    RefusedFormat as RefusedFormat,
    RepeatedHeader as RepeatedHeader,
    StrayQuote as StrayQuote,
    Unreadable as Unreadable,
    UnreadableHeader as UnreadableHeader,
    WrongEncoding as WrongEncoding,
)
from winodds.read.shape_errors import (
    AggregateColumns as AggregateColumns,
    AggregateRow as AggregateRow,
    NoColumnsLeft as NoColumnsLeft,
    PropertyColumns as PropertyColumns,
    RolesUnclear as RolesUnclear,
    ShapeUnclear as ShapeUnclear,
    TwoRoles as TwoRoles,
    UnnamedColumns as UnnamedColumns,
)
from winodds.season.errors import (
    InTournament as InTournament,
    NothingToEmbed as NothingToEmbed,
    NotInSeason as NotInSeason,
    TooFewRoundsTried as TooFewRoundsTried,
    TooFewTournaments as TooFewTournaments,
    TooFewTried as TooFewTried,
    TriedNeverMet as TriedNeverMet,
)
from winodds.show.errors import (
    NoFigure as NoFigure,
)
from winodds.sota.errors import (
    ClassesNeeded as ClassesNeeded,
    EqualScores as EqualScores,
    ImpossibleCorrelation as ImpossibleCorrelation,
    ImpossibleSimilarity as ImpossibleSimilarity,
    NotRightOrWrong as NotRightOrWrong,
    NotShares as NotShares,
    PerfectScore as PerfectScore,
    PositivesNeeded as PositivesNeeded,
    RepeatedEntries as RepeatedEntries,
    RepeatedResult as RepeatedResult,
    SizeNeeded as SizeNeeded,
    TooFewEntries as TooFewEntries,
    TooFewItems as TooFewItems,
)
from winodds.table.errors import (
    BadWeights as BadWeights,
    ConflictingDuplicates as ConflictingDuplicates,
    DirectionContradicts as DirectionContradicts,
    DirectionsIncomplete as DirectionsIncomplete,
    DirectionUnknown as DirectionUnknown,
    DirectionUnreadable as DirectionUnreadable,
    DuplicateColumns as DuplicateColumns,
    EmptyName as EmptyName,
    InfiniteScores as InfiniteScores,
    JoinedNamesCollide as JoinedNamesCollide,
    MissingColumn as MissingColumn,
    NamesNotText as NamesNotText,
    NoRunSucceeded as NoRunSucceeded,
    NotATable as NotATable,
    NotConstant as NotConstant,
    ScoreOutOfRange as ScoreOutOfRange,
    ScoresNotNumbers as ScoresNotNumbers,
    SelfMatch as SelfMatch,
    TieAsWinner as TieAsWinner,
    TooFewPlayers as TooFewPlayers,
    TooFewRounds as TooFewRounds,
    UnknownWinner as UnknownWinner,
    UnreadableName as UnreadableName,
)
