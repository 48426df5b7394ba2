{{- define "hushkit.name" -}}
{{- if contains "hushkit" .Release.Name -}}{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-hushkit" .Release.Name | trunc 53 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "hushkit.selector" -}}
app.kubernetes.io/name: hushkit
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hushkit.labels" -}}
{{ include "hushkit.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* Whether a setting is given, openly or from a Secret: include "hushkit.isSet" (list $ "NAME"). */}}
{{- define "hushkit.isSet" -}}
{{- $name := index . 1 -}}
{{- with (index . 0).Values -}}
{{- if or (hasKey .settings $name) (hasKey .settingsFromSecrets $name) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "hushkit.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ printf "%s@%s" .repository .digest }}
{{- else }}{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "hushkit.claim" -}}
{{ .Values.persistence.existingClaim | default (include "hushkit.name" .) }}
{{- end -}}
