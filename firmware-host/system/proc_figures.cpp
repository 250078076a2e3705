#include "firmware-host/system/proc_figures.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/wire/json.hpp"

#include <array>
#include <charconv>
#include <string>

namespace smsrack::host {
namespace {

constexpr std::size_t small_file = 16UL * 1024;

std::string text_at(const std::filesystem::path& file) {
    return read_text_file(file, small_file).value_or(std::string());
}

/// What comes behind `name` up to a blank; empty: it is not there.
std::string_view word_behind(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) {
        return {};
    }
    text.remove_prefix(at + name.size());
    return text.substr(0, text.find_first_of(" \t\n"));
}

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// `smsrack firmware confirm` notes it. A box that never confirmed a slot has none of it.
std::string noted_version(const std::filesystem::path& root, std::string_view slot) {
    const auto note =
        wire::parse_json(text_at(root / "data/firmware" / ("slot-" + std::string(slot) + ".json")));
    if (!note || !note->is_object() || !note->contains("version") ||
        !note->at("version").is_string()) {
        return {};
    }
    return note->at("version").get<std::string>();
}

}  // namespace

std::optional<std::uint64_t> kib_line(std::string_view text, std::string_view name) {
    constexpr std::uint64_t octets = 1024;
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos || (at != 0 && text[at - 1] != '\n')) {
        return std::nullopt;
    }
    text.remove_prefix(at + name.size());
    const std::size_t digit = text.find_first_of("0123456789\n");
    const auto number =
        digit == std::string_view::npos ? std::nullopt : number_of(text.substr(digit));
    return number ? std::optional(*number * octets) : std::nullopt;
}

void read_figures(const std::filesystem::path& root, ports::BoxFacts& facts) {
    const std::string memory = text_at(root / "proc/meminfo");
    facts.memory_total = kib_line(memory, "MemTotal:");
    facts.memory_available = kib_line(memory, "MemAvailable:");
    facts.memory_own = kib_line(text_at(root / "proc/self/status"), "VmRSS:");
    facts.up = std::chrono::seconds(
        static_cast<std::int64_t>(number_of(text_at(root / "proc/uptime")).value_or(0)));
    const std::string command_line = text_at(root / "proc/cmdline");
    const std::string_view booted = word_behind(command_line, "rauc.slot=");
    if (booted.empty()) {
        return;
    }
    for (const std::string_view slot : std::array<std::string_view, 2>{"A", "B"}) {
        facts.slots.push_back({.name = std::string(slot),
                               .version = noted_version(root, slot),
                               .booted = slot == booted});
    }
}

}  // namespace smsrack::host
