#include "tools/smsrack/rack/going_back.hpp"

#include "tools/smsrack/screen/console.hpp"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <utility>

namespace smsrack::cli {
namespace {

namespace fs = std::filesystem;

/// "before-migration-13.db" -> 13.
std::optional<int> number_of(const std::string& name) {
    constexpr std::string_view front = "before-migration-";
    constexpr std::string_view back = ".db";
    if (!name.starts_with(front) || !name.ends_with(back) ||
        name.size() <= front.size() + back.size()) {
        return std::nullopt;
    }
    const char* const end = name.data() + name.size() - back.size();
    int number = 0;
    const auto [stop, error] = std::from_chars(name.data() + front.size(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// The earliest schema whose programs may use the database; without other word, only its own.
int oldest_reader(const db::SchemaOf& schema, const FirmwareSlot& booted) {
    if (schema.oldest_reader) {
        return *schema.oldest_reader;
    }
    const bool noted = booted.note && booted.note->schema == schema.version;
    return noted ? booted.note->readable_from.value_or(schema.version) : schema.version;
}

std::string name_of(const FirmwareSlot& slot) {
    return slot.version.empty()
               ? fmt::format("the release in slot {}", slot.bootname)
               : fmt::format("version {} in slot {}", printable(slot.version), slot.bootname);
}

void add(std::vector<std::string>& words, std::int64_t count, std::string_view one,
         std::string_view many) {
    if (count > 0) {
        words.push_back(fmt::format("  {} {}", count, count == 1 ? one : many));
    }
}

}  // namespace

std::vector<std::string> loss_words(const GoingBack& judged) {
    const db::GoingBackLoss& loss = judged.loss;
    std::vector<std::string> words;
    if (!judged.why.empty()) {
        words.push_back("What came since is lost; it can't be counted: " + judged.why);
        return words;
    }
    if (loss.none()) {
        words.emplace_back("Nothing came since.");
        return words;
    }
    words.emplace_back("What came since is lost:");
    add(words, loss.waiting, "message accepted that waits: it would not be sent",
        "messages accepted that wait: they would not be sent");
    add(words, loss.sent, "message accepted and sent", "messages accepted and sent");
    add(words, loss.ended, "message accepted that failed, expired or was cancelled",
        "messages accepted that failed, expired or were cancelled");
    add(words, loss.received, "message received", "messages received");
    add(words, loss.again,
        "message that waited then was sent or ended since: it would be sent again",
        "messages that waited then were sent or ended since: they would be sent again");
    add(words, loss.pauses, "pause made since: what it holds would be sent",
        "pauses made since: what they hold would be sent");
    add(words, loss.opt_outs, "number that wants no messages since: it would be sent to again",
        "numbers that want no messages since: they would be sent to again");
    return words;
}

fs::path copy_for(const fs::path& database, int schema) {
    fs::path found;
    int newest = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(database.parent_path(), ignored)) {
        const auto number = number_of(entry.path().filename().string());
        if (number && *number <= schema && *number > newest) {
            newest = *number;
            found = entry.path();
        }
    }
    return found;
}

std::string loss_agreement(const std::string& bootname, const fs::path& copy) {
    std::error_code unknown;
    const auto made = fs::last_write_time(copy, unknown).time_since_epoch();
    return fmt::format("{} {} {}\n", bootname, copy.filename().string(),
                       unknown ? 0 : std::chrono::nanoseconds(made).count());
}

GoingBack judge_going_back(const fs::path& database, const FirmwareSlot& booted,
                           const FirmwareSlot& other) {
    GoingBack judged{.database = database};
    const auto schema = db::schema_of(database);
    if (!schema && schema.error().code == Errc::not_found) {
        judged.kind = GoingBackKind::free;  // it makes a new one
        return judged;
    }
    if (!schema) {
        judged.why = fmt::format("{}: {}", database.string(), schema.error().context);
        return judged;
    }
    judged.schema = schema->version;
    if (!other.note) {
        judged.why = fmt::format("what slot {} can use was not noted: it was never confirmed here",
                                 other.bootname);
        return judged;
    }
    if (schema->version <= other.note->schema ||
        oldest_reader(*schema, booted) <= other.note->schema) {
        judged.kind = GoingBackKind::free;
        return judged;
    }
    judged.copy = copy_for(database, other.note->schema);
    if (judged.copy.empty()) {
        judged.kind = GoingBackKind::stuck;
        judged.why = "there is no copy from before the migration next to " + database.string();
        return judged;
    }
    judged.kind = GoingBackKind::with_copy;
    const auto loss = db::loss_of_going_back(database, judged.copy);
    if (loss) {
        judged.loss = *loss;
    } else {
        judged.why = loss.error().context;
    }
    return judged;
}

std::vector<std::string> going_back_words(const GoingBack& judged, const FirmwareSlot& other) {
    switch (judged.kind) {
        case GoingBackKind::free:
            return {};
        case GoingBackKind::unknown:
            return {fmt::format("Whether {} can continue with the current messages is unknown: {}.",
                                name_of(other), printable(judged.why))};
        case GoingBackKind::stuck:
            return {
                fmt::format("{} can't use the database, whose schema is {}; {}. It would not "
                            "serve, and the box would come back to this release.",
                            name_of(other), judged.schema, printable(judged.why))};
        case GoingBackKind::with_copy:
            break;
    }
    std::vector<std::string> words{
        fmt::format("{} can't use the database, whose schema is {}; its own is {}.", name_of(other),
                    judged.schema, other.note ? other.note->schema : 0),
        fmt::format("It would continue with {}, from before the migration.", judged.copy.string())};
    for (std::string& line : loss_words(judged)) {
        words.push_back(std::move(line));
    }
    return words;
}

}  // namespace smsrack::cli
