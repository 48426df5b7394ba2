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

{{- /* The chart makes the key of the instance, unless there is one in the settings. */}}
{{- define "hushkit.makesKey" -}}
{{- if not (or (hasKey .Values.settings "INSTANCE_KEY") (hasKey .Values.settingsFromSecrets "INSTANCE_KEY")) }}true{{ end -}}
{{- end -}}

{{- define "hushkit.claim" -}}
{{ .Values.persistence.existingClaim | default (include "hushkit.name" .) }}
{{- end -}}
