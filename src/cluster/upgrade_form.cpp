#include "src/cluster/upgrade_form.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::cluster {
namespace {

void write(wire::JsonWriter& json, const UpgradeMark& mark) {
    json.member("by", mark.by.value);
    json.member("since", mark.since);
    json.member("beats", mark.beats);
}

void read(FormReader& reader, UpgradeMark& mark) {
    reader.read("by", mark.by.value);
    reader.read("since", mark.since);
    reader.read("beats", mark.beats);
}

}  // namespace

std::string form_of(const UpgradeLetter& letter) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("upgrade_to", letter.order.binary);
        json.member("hash", letter.order.hash);
        json.member("agreed", letter.order.agreed);
        write(json, letter.mark);
    });
}

std::string form_of(const UpgradeAnswer& letter) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("answer_to", letter.hash);
        json.member("why_not", letter.why_not);
        json.member("from", letter.from.value);
        json.member("epoch", letter.epoch.value);
        write(json, letter.mark);
    });
}

Result<UpgradeLetter> upgrade_letter_of(std::string_view form) {
    return read_form<UpgradeLetter>(form, [](const wire::Json& json) -> Result<UpgradeLetter> {
        UpgradeLetter letter;
        FormReader reader(json);
        reader.read("upgrade_to", letter.order.binary);
        reader.read("hash", letter.order.hash);
        reader.read("agreed", letter.order.agreed);
        read(reader, letter.mark);
        if (!letter.order.binary.starts_with('/') || letter.order.hash.empty() ||
            letter.mark.beats < 0) {
            return strange_form();
        }
        return letter;
    });
}

Result<UpgradeAnswer> upgrade_answer_of(std::string_view form) {
    return read_form<UpgradeAnswer>(form, [](const wire::Json& json) -> Result<UpgradeAnswer> {
        UpgradeAnswer letter;
        FormReader reader(json);
        reader.read("answer_to", letter.hash);
        reader.read("why_not", letter.why_not);
        reader.read("from", letter.from.value);
        reader.read("epoch", letter.epoch.value);
        read(reader, letter.mark);
        return letter.hash.empty() ? Result<UpgradeAnswer>(strange_form()) : letter;
    });
}

}  // namespace smsrack::cluster
