#include "src/cluster/question_form.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace smsrack::cluster {
namespace {

void write(wire::JsonWriter& json, const QuestionMark& mark) {
    json.member("by", mark.by.box.value);
    json.member("epoch", mark.by.epoch.value);
    json.member("number", mark.number);
}

void read(FormReader& reader, QuestionMark& mark) {
    reader.read("by", mark.by.box.value);
    reader.read("epoch", mark.by.epoch.value);
    reader.read("number", mark.number);
}

}  // namespace

std::string form_of(const QuestionLetter& letter) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("get", letter.question.path);
        json.key("params");
        json.begin_array();
        for (const auto& [name, value] : letter.question.params) {
            json.value(name);
            json.value(value);
        }
        json.end_array();
        json.member("masked", letter.question.masked);
        json.member("beats", letter.beats);
        json.member("lasts", letter.lasts);
        write(json, letter.mark);
    });
}

std::string form_of(const AnswerLetter& letter) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("got", letter.answer.status);
        json.member("body", letter.answer.body);
        write(json, letter.mark);
    });
}

Result<QuestionLetter> question_letter_of(std::string_view form) {
    return read_form<QuestionLetter>(form, [](const wire::Json& json) -> Result<QuestionLetter> {
        QuestionLetter letter;
        FormReader reader(json);
        reader.read("get", letter.question.path);
        reader.read("masked", letter.question.masked);
        reader.read("beats", letter.beats);
        reader.read("lasts", letter.lasts);
        read(reader, letter.mark);
        std::vector<std::string> params;
        reader.read("params", params);
        if (!letter.question.path.starts_with('/') || params.size() % 2 != 0 || letter.beats < 0) {
            return strange_form();
        }
        for (std::size_t i = 0; i < params.size(); i += 2) {
            letter.question.params.emplace_back(std::move(params[i]), std::move(params[i + 1]));
        }
        return letter;
    });
}

Result<AnswerLetter> answer_letter_of(std::string_view form) {
    return read_form<AnswerLetter>(form, [](const wire::Json& json) -> Result<AnswerLetter> {
        AnswerLetter letter{.answer = {.status = 0}};
        FormReader reader(json);
        reader.read("got", letter.answer.status);
        reader.read("body", letter.answer.body);
        read(reader, letter.mark);
        constexpr int first_status = 100;
        return letter.answer.status < first_status ? Result<AnswerLetter>(strange_form()) : letter;
    });
}

}  // namespace smsrack::cluster
