#include "src/config/settings.hpp"

#include "src/config/document_reader.hpp"
#include "src/config/settings_check.hpp"
#include "src/config/webhook_check.hpp"

#include <algorithm>
#include <array>

namespace smsrack::config {
namespace {

/// Sections of later versions: refused rather than ignored.
constexpr std::array<std::string_view, 1> later_sections{"cluster"};

/// An array of tables has no line of its own in every parser: its first table has.
int line_of(const TomlEntry& entry) {
    const auto* items = std::get_if<TomlArray>(&entry.value.content);
    return entry.line == 0 && items != nullptr && !items->empty() ? items->front().line
                                                                  : entry.line;
}

void refuse_unknown_sections(const TomlTable& document, ProblemList& problems) {
    const auto known = table_names<Settings>();
    for (const TomlEntry& entry : document.entries) {
        if (std::ranges::find(later_sections, entry.key) != later_sections.end()) {
            problems.add(line_of(entry), entry.key,
                         "unknown key (this section comes with a later version)");
        } else if (std::ranges::find(known, entry.key) == known.end()) {
            problems.unknown(entry, entry.key, known);
        }
    }
}

}  // namespace

std::expected<Settings, ConfigError> load_settings(std::string_view text, const std::string& file) {
    return load_document(text, file, [](const TomlTable& document, ProblemList& problems) {
        Settings settings;
        refuse_unknown_sections(document, problems);
        DocumentReader(document, problems).read(settings);
        name_webhooks(settings.webhooks);
        check_settings(settings, problems);
        return settings;
    });
}

}  // namespace smsrack::config
