/// The words in which a box asks another one what its API says, and those of the answer: JSON, as message_form.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/fleet.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// Which question it is.
struct QuestionMark {
    ports::Seat by = {};      ///< of the box that asks
    std::int64_t number = 0;  ///< of its questions under that seat
    friend bool operator==(const QuestionMark&, const QuestionMark&) = default;
};

struct QuestionLetter {
    QuestionMark mark = {};
    std::int64_t beats = 0;  ///< of the box that asks, when it did
    std::int64_t lasts = 0;  ///< beats behind that one while someone waits
    ports::BoxQuestion question = {};
};

struct AnswerLetter {
    QuestionMark mark = {};  ///< of the question
    ports::BoxAnswer answer = {};
};

[[nodiscard]] std::string form_of(const QuestionLetter& letter);
[[nodiscard]] std::string form_of(const AnswerLetter& letter);
[[nodiscard]] Result<QuestionLetter> question_letter_of(std::string_view form);
[[nodiscard]] Result<AnswerLetter> answer_letter_of(std::string_view form);

}  // namespace smsrack::cluster
