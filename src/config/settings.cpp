#include "src/config/settings.hpp"

#include "src/config/settings_check.hpp"
#include "src/config/table_reader.hpp"
#include "src/config/toml.hpp"

#include <algorithm>
#include <array>

namespace smsrack::config {
namespace {

constexpr std::array<std::string_view, 17> sections{
    "service",      "defaults", "modem",       "route",   "queue",    "priority",
    "scaling",      "clients",  "client",      "dedup",   "messages", "inbox",
    "destinations", "limits",   "quiet_hours", "opt_out", "trigger"};
/// Sections of later versions: refused rather than ignored.
constexpr std::array<std::string_view, 4> later_sections{"http", "smpp", "webhook", "cluster"};

class DocumentReader {
public:
    DocumentReader(const TomlTable& document, ProblemList& problems)
        : document_(document), problems_(problems) {}

    Settings read() {
        Settings settings;
        refuse_unknown_sections();
        read_section("service", settings.service);
        read_section("defaults", settings.defaults);
        read_section("queue", settings.queue);
        read_section("priority", settings.priority);
        if (const TomlEntry* priority = document_.find("priority")) {
            settings.priority.source_line = priority->line;
        }
        read_section("scaling", settings.scaling);
        if (const TomlEntry* scaling = document_.find("scaling")) {
            settings.scaling.source_line = scaling->line;
        }
        read_section("clients", settings.clients);
        read_section("dedup", settings.dedup);
        read_section("messages", settings.messages);
        read_section("inbox", settings.inbox);
        read_section("destinations", settings.destinations);
        read_section("limits", settings.limits);
        read_section("quiet_hours", settings.quiet_hours);
        read_section("opt_out", settings.opt_out);
        if (const TomlEntry* opt_out = document_.find("opt_out")) {
            settings.opt_out.source_line = opt_out->line;
        }
        for (const TomlValue* item : items_of("modem")) {
            settings.modems.push_back(read_modem(*item, settings.defaults));
        }
        for (const TomlValue* item : items_of("route")) {
            RouteSettings route{.source_line = item->line};
            TableReader reader(std::get<TomlTable>(item->content), item->line, "route", problems_);
            reader.read(route);
            reader.refuse_others<RouteSettings>();
            settings.routes.push_back(std::move(route));
        }
        for (const TomlValue* item : items_of("trigger")) {
            TriggerSettings trigger{.source_line = item->line};
            TableReader reader(std::get<TomlTable>(item->content), item->line, "trigger",
                               problems_);
            reader.read(trigger);
            reader.refuse_others<TriggerSettings>();
            settings.triggers.push_back(std::move(trigger));
        }
        for (const TomlValue* item : items_of("client")) {
            ClientSettings client{.source_line = item->line};
            TableReader reader(std::get<TomlTable>(item->content), item->line, "client", problems_);
            reader.read(client);
            reader.refuse_others<ClientSettings>();
            settings.client_list.push_back(std::move(client));
        }
        return settings;
    }

private:
    void refuse_unknown_sections() {
        for (const TomlEntry& entry : document_.entries) {
            if (std::ranges::find(later_sections, entry.key) != later_sections.end()) {
                problems_.add(line_of(entry), entry.key,
                              "unknown key (this section comes with a later version)");
            } else if (std::ranges::find(sections, entry.key) == sections.end()) {
                problems_.unknown(entry, entry.key, sections);
            }
        }
    }

    /// An array of tables has no line of its own in every parser: its first table has.
    static int line_of(const TomlEntry& entry) {
        const auto* items = std::get_if<TomlArray>(&entry.value.content);
        return entry.line == 0 && items != nullptr && !items->empty() ? items->front().line
                                                                      : entry.line;
    }

    template <typename Section>
    void read_section(std::string_view name, Section& section) {
        const TomlEntry* entry = document_.find(name);
        if (entry == nullptr) {
            return;
        }
        const auto* table = std::get_if<TomlTable>(&entry->value.content);
        if (table == nullptr) {
            problems_.expected(entry->value, entry->key, fmt::format("a table [{}]", name));
            return;
        }
        if constexpr (requires { section.source_line; }) {
            section.source_line = entry->line;
        }
        TableReader reader(*table, entry->line, std::string(name), problems_);
        reader.read(section);
        reader.refuse_others<Section>();
    }

    /// The tables of [[name]].
    std::vector<const TomlValue*> items_of(std::string_view name) {
        std::vector<const TomlValue*> tables;
        const TomlEntry* entry = document_.find(name);
        if (entry == nullptr) {
            return tables;
        }
        const auto* items = std::get_if<TomlArray>(&entry->value.content);
        if (items == nullptr) {
            problems_.expected(entry->value, entry->key, fmt::format("tables [[{}]]", name));
            return tables;
        }
        for (const TomlValue& item : *items) {
            if (std::holds_alternative<TomlTable>(item.content)) {
                tables.push_back(&item);
            } else {
                problems_.expected(item, entry->key, fmt::format("a table [[{}]]", name));
            }
        }
        return tables;
    }

    ModemSettings read_modem(const TomlValue& item, const LineSettings& defaults) {
        ModemSettings modem{.line = defaults, .source_line = item.line};
        TableReader reader(std::get<TomlTable>(item.content), item.line, "modem", problems_);
        reader.read(modem);
        reader.read(modem.line);
        reader.refuse_others<ModemSettings, LineSettings>();
        return modem;
    }

    const TomlTable& document_;
    ProblemList& problems_;
};

std::string line_with(std::string_view mark, const std::string& file,
                      const ConfigProblem& problem) {
    return fmt::format("{}{}: {}{}{}{}", problem.file.empty() ? file : problem.file,
                       problem.line == 0 ? "" : fmt::format(":{}", problem.line), mark, problem.key,
                       problem.key.empty() ? "" : ": ", problem.message);
}

}  // namespace

std::string problem_line(const std::string& file, const ConfigProblem& problem) {
    return line_with("", file, problem);
}

std::string warning_line(const std::string& file, const ConfigProblem& problem) {
    return line_with("warning: ", file, problem);
}

std::string ConfigError::line_of(const ConfigProblem& problem) const {
    return problem_line(file, problem);
}

std::string ConfigError::text() const {
    std::string lines;
    for (const ConfigProblem& problem : problems) {
        lines += line_of(problem) + "\n";
    }
    return lines;
}

std::expected<Settings, ConfigError> load_settings(std::string_view text, const std::string& file) {
    const auto document = parse_toml(text);
    if (!document) {
        const TomlFault& fault = document.error();
        return std::unexpected(ConfigError{
            .file = file, .problems = {{.line = fault.line, .message = fault.message}}});
    }
    ProblemList problems;
    Settings settings = DocumentReader(*document, problems).read();
    check_settings(settings, problems);
    if (problems.size() > 0) {
        return std::unexpected(ConfigError{.file = file, .problems = problems.take()});
    }
    return settings;
}

}  // namespace smsrack::config
