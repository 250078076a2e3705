#include "db/write/last_answers.hpp"

#include "src/base/hash.hpp"

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <type_traits>
#include <unistd.h>

namespace smsrack::db {
namespace {

/// As it is stored in the file; read only by the program that wrote it, on the same machine.
struct Note {
    // 0: nothing is noted here; of the first: which run of the machine this is
    std::int64_t attempt = 0;
    std::int32_t cause_code = 0;
    std::uint8_t outcome = 0;
    std::uint8_t cause_kind = 0;
    std::uint8_t tp_mr = 0;
    std::uint8_t has_tp_mr = 0;
};
static_assert(sizeof(Note) == 16 && std::is_trivially_copyable_v<Note>);

constexpr std::size_t before_notes = 1;
using Page = std::array<Note, before_notes + LastAnswers::places_max>;

}  // namespace

LastAnswers::LastAnswers(const std::filesystem::path& file, std::string_view boot)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      boot_(static_cast<std::int64_t>(hash64(boot))) {
    Page page{};
    const auto size = ::pread(descriptor_, page.data(), sizeof page, 0);
    const auto whole = size < 0 ? std::size_t{0} : static_cast<std::size_t>(size) / sizeof(Note);
    complete_ = whole == page.size() && page.front().attempt == boot_;
    for (std::size_t i = before_notes; i < whole; ++i) {
        const Note& note = page.at(i);
        if (note.attempt != 0) {
            earlier_.insert_or_assign(
                AttemptId{note.attempt},
                SubmitOutcome{.kind = static_cast<OutcomeKind>(note.outcome),
                              .tp_mr = note.tp_mr,
                              .has_tp_mr = note.has_tp_mr != 0,
                              .cause = {.kind = static_cast<CodeKind>(note.cause_kind),
                                        .code = note.cause_code}});
        }
    }
}

LastAnswers::~LastAnswers() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

std::optional<SubmitOutcome> LastAnswers::earlier(AttemptId attempt) const {
    const auto found = earlier_.find(attempt);
    return found == earlier_.end() ? std::nullopt : std::optional(found->second);
}

void LastAnswers::begin_anew() {
    earlier_.clear();
    Page empty{};
    empty.front().attempt = boot_;
    [[maybe_unused]] const auto put = ::pwrite(descriptor_, empty.data(), sizeof empty, 0);
}

void LastAnswers::note(AttemptId attempt, const SubmitOutcome& outcome) {
    const Note note{.attempt = attempt.value,
                    .cause_code = outcome.cause.code,
                    .outcome = static_cast<std::uint8_t>(outcome.kind),
                    .cause_kind = static_cast<std::uint8_t>(outcome.cause.kind),
                    .tp_mr = outcome.tp_mr,
                    .has_tp_mr = outcome.has_tp_mr ? std::uint8_t{1} : std::uint8_t{0}};
    const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed) % places_max;
    [[maybe_unused]] const auto put = ::pwrite(
        descriptor_, &note, sizeof note, static_cast<off_t>((before_notes + place) * sizeof note));
}

}  // namespace smsrack::db
