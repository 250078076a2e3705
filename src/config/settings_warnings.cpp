#include "src/config/settings_warnings.hpp"

#include "src/config/table_reader.hpp"

namespace smsrack::config {

ConfigProblems settings_warnings(const Settings& settings) {
    ProblemList warnings;
    if (settings.modems.empty()) {
        warnings.add(0, "modem",
                     "there is no [[modem]], so nothing can be sent or received; `smsrack slots` "
                     "prints the entries for the modems that it finds");
    }
    for (const TriggerSettings& trigger : settings.triggers) {
        if (trigger.on_failed == TriggerOnFailed::webhook) {
            warnings.add(trigger.source_line, "trigger.on_failed",
                         fmt::format("\"webhook\" comes with a later version; trigger {} works "
                                     "as with \"keep\"",
                                     trigger.name));
        }
    }
    return warnings.take();
}

}  // namespace smsrack::config
