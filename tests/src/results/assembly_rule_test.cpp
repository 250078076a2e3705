#include "src/results/assembly_rule.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 6 / 1} + 12h};

ports::AssemblyPart part(std::uint8_t seq, std::chrono::seconds at) {
    return {.seq = seq, .scts = noon + at};
}
constexpr ports::AssemblyPart undated(std::uint8_t seq) {
    return {.seq = seq, .scts = {}};
}

}  // namespace

TEST_CASE("choose_assembly: the message that a part belongs to") {
    struct Row {
        const char* what;
        ports::AssemblyPart part;
        std::vector<ports::AssemblyCandidate> candidates;
        std::optional<std::size_t> chosen;
    };
    for (const Row& row : {
             Row{"the first part begins one", part(1, 0s), {}, std::nullopt},
             Row{"the one that waits", part(2, 3s), {{{part(1, 0s)}}}, 0},
             Row{"also minutes later", part(2, 300s), {{{part(1, 0s)}}}, 0},
             Row{"one that has this part is another message",
                 part(1, 4s),
                 {{{part(1, 0s)}}},
                 std::nullopt},
             Row{"the nearest", part(2, 7s), {{{part(1, 0s)}}, {{part(1, 4s)}}}, 1},
             Row{"not one that was submitted later",
                 part(2, 3s),
                 {{{part(1, 0s)}}, {{part(1, 4s)}}},
                 0},
             Row{"nor one whose later part was submitted before",
                 part(1, 4s),
                 {{{part(2, 3s)}}, {{part(2, 7s)}}},
                 1},
             Row{"one that is out of order rather than none", part(2, 3s), {{{part(1, 4s)}}}, 0},
             Row{"by its nearest part",
                 part(3, 60s),
                 {{{part(1, 40s)}}, {{part(1, 0s), part(2, 50s)}}},
                 1},
             Row{"without a time stamp the oldest",
                 undated(2),
                 {{{undated(1)}}, {{undated(1)}}},
                 0},
             Row{"one with a time before those without",
                 part(2, 3s),
                 {{{undated(1)}}, {{part(1, 0s)}}},
                 1},
             Row{"one that waits before one that was given out",
                 undated(2),
                 {{{undated(1)}, true}, {{undated(1)}}},
                 1},
             Row{"but one of its time that was given out before all",
                 part(2, 3s),
                 {{{part(1, 0s)}, true}, {{part(1, -3600s)}}},
                 0},
         }) {
        CAPTURE(row.what);
        InboundSegment segment;
        segment.concat = ConcatInfo{.ref = 5, .total = 3, .seq = row.part.seq};
        segment.scts = row.part.scts;
        segment.received_at = noon + 1h;
        CHECK(results::choose_assembly(segment, row.candidates) == row.chosen);
    }
}
