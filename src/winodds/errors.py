"""Every error, by its public name; each lives beside those who raise it."""

from winodds.board.errors import (
    BrokenJson as BrokenJson,
)
from winodds.board.errors import (
    InComponent as InComponent,
)
from winodds.board.errors import (
    NeverMet as NeverMet,
)
from winodds.board.errors import (
    NoCommonScale as NoCommonScale,
)
from winodds.board.errors import (
    NoCompleteRounds as NoCompleteRounds,
)
from winodds.board.errors import (
    NoEvidence as NoEvidence,
)
from winodds.board.errors import (
    NotJson as NotJson,
)
from winodds.board.errors import (
    OverlapAcrossTournaments as OverlapAcrossTournaments,
)
from winodds.board.errors import (
    SamePlayer as SamePlayer,
)
from winodds.board.errors import (
    SchemaUnknown as SchemaUnknown,
)
from winodds.board.errors import (
    Separated as Separated,
)
from winodds.board.errors import (
    TooManyToCompare as TooManyToCompare,
)
from winodds.board.errors import (
    UnknownPlayer as UnknownPlayer,
)
from winodds.design.errors import (
    SingularInformation as SingularInformation,
)
from winodds.design.errors import (
    TooManyPlayers as TooManyPlayers,
)
from winodds.fit.errors import (
    NotConverged as NotConverged,
)
from winodds.language.errors import (
    BadOption as BadOption,
)
from winodds.language.errors import (
    DataError as DataError,
)
from winodds.language.errors import (
    MissingExtra as MissingExtra,
)
from winodds.language.errors import (
    NotWritten as NotWritten,
)
from winodds.language.errors import (
    UseError as UseError,
)
from winodds.language.errors import (
    WinoddsError as WinoddsError,
)
from winodds.matches.errors import (
    ClusterSplitsTournament as ClusterSplitsTournament,
)
from winodds.matches.errors import (
    NoMatches as NoMatches,
)
from winodds.matches.errors import (
    TooFewClusters as TooFewClusters,
)
from winodds.read.errors import BadCell as BadCell
from winodds.read.errors import BadCells as BadCells
from winodds.read.errors import BadJsonLine as BadJsonLine
from winodds.read.errors import DuplicateHeader as DuplicateHeader
from winodds.read.errors import EmptyFile as EmptyFile
from winodds.read.errors import HeaderOnly as HeaderOnly
from winodds.read.errors import IsFolder as IsFolder
from winodds.read.errors import MissingKey as MissingKey
from winodds.read.errors import NoSuchFile as NoSuchFile
from winodds.read.errors import OpenQuote as OpenQuote
from winodds.read.errors import RaggedLines as RaggedLines
from winodds.read.errors import RefusedFormat as RefusedFormat
from winodds.read.errors import RepeatedHeader as RepeatedHeader
from winodds.read.errors import StrayQuote as StrayQuote
from winodds.read.errors import Unreadable as Unreadable
from winodds.read.errors import UnreadableHeader as UnreadableHeader
from winodds.read.errors import WrongEncoding as WrongEncoding
from winodds.read.shape_errors import AggregateColumns as AggregateColumns
from winodds.read.shape_errors import AggregateRow as AggregateRow
from winodds.read.shape_errors import NoColumnsLeft as NoColumnsLeft
from winodds.read.shape_errors import PropertyColumns as PropertyColumns
from winodds.read.shape_errors import RolesUnclear as RolesUnclear
from winodds.read.shape_errors import ShapeUnclear as ShapeUnclear
from winodds.read.shape_errors import TwoRoles as TwoRoles
from winodds.read.shape_errors import UnnamedColumns as UnnamedColumns
from winodds.season.errors import (
    InTournament as InTournament,
)
from winodds.season.errors import (
    NothingToEmbed as NothingToEmbed,
)
from winodds.show.errors import (
    NoFigure as NoFigure,
)
from winodds.sota.errors import (
    ClassesNeeded as ClassesNeeded,
)
from winodds.sota.errors import (
    EqualScores as EqualScores,
)
from winodds.sota.errors import (
    ImpossibleCorrelation as ImpossibleCorrelation,
)
from winodds.sota.errors import (
    ImpossibleSimilarity as ImpossibleSimilarity,
)
from winodds.sota.errors import (
    NotRightOrWrong as NotRightOrWrong,
)
from winodds.sota.errors import (
    NotShares as NotShares,
)
from winodds.sota.errors import (
    PerfectScore as PerfectScore,
)
from winodds.sota.errors import (
    PositivesNeeded as PositivesNeeded,
)
from winodds.sota.errors import (
    RepeatedEntries as RepeatedEntries,
)
from winodds.sota.errors import (
    RepeatedResult as RepeatedResult,
)
from winodds.sota.errors import (
    SizeNeeded as SizeNeeded,
)
from winodds.sota.errors import (
    TooFewEntries as TooFewEntries,
)
from winodds.sota.errors import (
    TooFewItems as TooFewItems,
)
from winodds.table.errors import (
    BadWeights as BadWeights,
)
from winodds.table.errors import (
    ConflictingDuplicates as ConflictingDuplicates,
)
from winodds.table.errors import (
    DirectionContradicts as DirectionContradicts,
)
from winodds.table.errors import (
    DirectionsIncomplete as DirectionsIncomplete,
)
from winodds.table.errors import (
    DirectionUnknown as DirectionUnknown,
)
from winodds.table.errors import (
    DirectionUnreadable as DirectionUnreadable,
)
from winodds.table.errors import (
    DuplicateColumns as DuplicateColumns,
)
from winodds.table.errors import (
    EmptyName as EmptyName,
)
from winodds.table.errors import (
    InfiniteScores as InfiniteScores,
)
from winodds.table.errors import (
    JoinedNamesCollide as JoinedNamesCollide,
)
from winodds.table.errors import (
    MissingColumn as MissingColumn,
)
from winodds.table.errors import (
    NamesNotText as NamesNotText,
)
from winodds.table.errors import (
    NoRunSucceeded as NoRunSucceeded,
)
from winodds.table.errors import (
    NotATable as NotATable,
)
from winodds.table.errors import (
    NotConstant as NotConstant,
)
from winodds.table.errors import (
    ScoreOutOfRange as ScoreOutOfRange,
)
from winodds.table.errors import (
    ScoresNotNumbers as ScoresNotNumbers,
)
from winodds.table.errors import (
    SelfMatch as SelfMatch,
)
from winodds.table.errors import (
    TieAsWinner as TieAsWinner,
)
from winodds.table.errors import (
    TooFewPlayers as TooFewPlayers,
)
from winodds.table.errors import (
    TooFewRounds as TooFewRounds,
)
from winodds.table.errors import (
    UnknownWinner as UnknownWinner,
)
from winodds.table.errors import (
    UnreadableName as UnreadableName,
)
