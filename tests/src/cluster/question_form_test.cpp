#include "src/cluster/question_form.hpp"

#include "src/cluster/message_form.hpp"
#include "src/cluster/upgrade_form.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::cluster;

TEST_CASE(
    "question form: a question and its answer are read as they were written, and as nothing else") {
    const QuestionLetter question{
        .mark = {.by = {.box = BoxNumber{3}, .epoch = Epoch{9}}, .number = 70},
        .beats = 77,
        .lasts = 4,
        .question = {.path = "/v1/messages",
                     .params = {{"to", "+336\"1"}, {"contains", ""}},
                     .masked = true}};
    const auto asked = question_letter_of(form_of(question));
    REQUIRE(asked);
    CHECK(asked->mark == question.mark);
    CHECK(asked->beats == 77);
    CHECK(asked->lasts == 4);
    CHECK(asked->question.path == "/v1/messages");
    CHECK(asked->question.params == question.question.params);
    CHECK(asked->question.masked);

    const AnswerLetter answer{.mark = question.mark,
                              .answer = {.status = 404, .body = R"({"text":"\u0000 é"})"}};
    const auto said = answer_letter_of(form_of(answer));
    REQUIRE(said);
    CHECK(said->mark == question.mark);
    CHECK(said->answer.status == 404);
    CHECK(said->answer.body == answer.answer.body);

    for (const std::string& form : {form_of(question), form_of(answer)}) {
        CAPTURE(form);
        CHECK_FALSE(letter_of(form));
        CHECK_FALSE(upgrade_letter_of(form));
        CHECK_FALSE(upgrade_answer_of(form));
    }
    CHECK_FALSE(question_letter_of(form_of(answer)));
    CHECK_FALSE(answer_letter_of(form_of(question)));
    CHECK_FALSE(question_letter_of(form_of(UpgradeLetter{})));
    CHECK_FALSE(answer_letter_of(form_of(EndLetter{.message = MessageId{5}})));
}

TEST_CASE("question form: a question names a path, and a value for each parameter") {
    for (const std::string form :
         {R"({"get":"v1/messages","params":[],"by":1,"beats":2})",
          R"({"get":"/v1/messages","params":["to"],"by":1,"beats":2})",
          R"({"get":"/v1/messages","params":[5,6],"by":1,"beats":2})",
          R"({"get":"/v1/messages","by":1,"beats":-2})", R"({})", R"([])", ""}) {
        CAPTURE(form);
        CHECK(question_letter_of(form).error().code == Errc::bad_request);
    }
    CHECK(answer_letter_of(R"({"got":0,"body":"x"})").error().code == Errc::bad_request);
    CHECK(answer_letter_of(R"({"body":"x"})").error().code == Errc::bad_request);
}
