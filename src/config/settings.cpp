#include "src/config/settings.hpp"

#include "src/config/document_reader.hpp"
#include "src/config/settings_check.hpp"
#include "src/config/webhook_check.hpp"

#include <algorithm>

namespace smsrack::config {
namespace {

void refuse_unknown_sections(const TomlTable& document, ProblemList& problems) {
    const auto known = table_names<Settings>();
    for (const TomlEntry& entry : document.entries) {
        if (std::ranges::find(known, entry.key) == known.end()) {
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
